#include "core/model/model_shape.h"

namespace helix::model {
namespace {

// Raised when the writer's bytes change for the same shape, so that a cached file of an older writer is not
// used.
constexpr int kWriterVersion = 1;

auto BadShape(const std::string& what) {
  return Fail(ErrorCode::kInvalidArgument, "this is not a model's shape: " + what);
}

}  // namespace

std::string ModelShape::Name() const {
  return "helix-" + (kSyntheticMark + ("-l" + std::to_string(layers))) + "-d" + std::to_string(width) + "-f" +
         std::to_string(feed_forward) + "-h" + std::to_string(heads) + "-kv" + std::to_string(kv_heads) +
         "-c" + std::to_string(context) + "-s" + std::to_string(seed) + (ascii_output ? "-ascii" : "-bytes") +
         "-v" + std::to_string(kWriterVersion);
}

Status CheckShape(const ModelShape& s) {
  for (int value : {s.layers, s.width, s.feed_forward, s.heads, s.kv_heads, s.context}) {
    if (value < 1) return BadShape("every size must be at least 1");
  }
  if (s.layers > 1024 || s.width > 65536 || s.feed_forward > 262144)
    return BadShape("a size is out of range");
  if (s.width % 32 != 0 || s.feed_forward % 32 != 0)
    return BadShape("width and feed-forward must be multiples of 32");
  if (s.width % s.heads != 0 || (s.width / s.heads) % 2 != 0) {
    return BadShape("width must be heads times an even head size");
  }
  if (s.heads % s.kv_heads != 0) return BadShape("heads must be a multiple of kv heads");
  const std::int64_t width = s.width;
  const std::int64_t kv = width / s.heads * s.kv_heads;
  const std::int64_t layer = 2 * width * width + 2 * width * kv + 3 * width * s.feed_forward;
  if (2 * layer * s.layers > (std::int64_t{1} << 31))
    return BadShape("its weights would take more than 2 GiB");
  return {};
}

bool IsSyntheticName(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return name.find(kSyntheticMark, slash == std::string::npos ? 0 : slash) != std::string::npos;
}

}  // namespace helix::model
