#include "core/model/gguf_info.h"

#include <array>
#include <fstream>

#include "core/model/model_shape.h"
#include "core/model/synthetic_model.h"

namespace helix::model {
namespace {

constexpr std::uint64_t kMaxString = 16U << 20;
constexpr std::uint64_t kMaxKeys = 1U << 16;
constexpr std::uint64_t kMaxElements = 1U << 24;
enum ValueType : std::uint32_t { kBool = 7, kString = 8, kArray = 9 };

// Bytes of a value of fixed size; 0 for strings, arrays and unknown types.
std::uint64_t SizeOf(std::uint64_t type) {
  constexpr std::array<std::uint64_t, 13> kSizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < kSizes.size() ? kSizes[type] : 0;
}

// Every read checks `ok()`: a broken file ends the walk, it never wraps around.
class Walker {
 public:
  explicit Walker(const std::string& path) : file_(path, std::ios::binary) {}
  [[nodiscard]] bool ok() const { return ok_ && file_.good(); }
  void Break() { ok_ = false; }

  std::uint64_t Integer(int bytes) {
    std::array<unsigned char, 8> raw{};
    file_.read(reinterpret_cast<char*>(raw.data()), bytes);
    std::uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) value = value << 8 | raw[i];
    return ok() ? value : 0;
  }
  std::string String() {
    const std::uint64_t size = Integer(8);
    if (size > kMaxString) Break();
    if (!ok()) return {};
    std::string text(size, '\0');
    file_.read(text.data(), static_cast<std::streamsize>(size));
    return text;
  }
  void Skip(std::uint64_t type) {
    if (type == kString) {
      String();
    } else if (type == kArray) {
      SkipArray();
    } else if (SizeOf(type) == 0) {
      Break();
    } else {
      file_.seekg(static_cast<std::streamoff>(SizeOf(type)), std::ios::cur);
    }
  }

 private:
  void SkipArray() {
    const std::uint64_t element = Integer(4);
    const std::uint64_t count = Integer(8);
    if (count > kMaxElements || element == kArray) return Break();
    if (SizeOf(element) > 0) {
      file_.seekg(static_cast<std::streamoff>(count * SizeOf(element)), std::ios::cur);
      return;
    }
    for (std::uint64_t i = 0; i < count && ok(); ++i) Skip(element);
  }

  std::ifstream file_;
  bool ok_ = true;
};

void ReadKey(Walker& walker, GgufInfo& info) {
  const std::string key = walker.String();
  const std::uint64_t type = walker.Integer(4);
  if (type == kString && key == "general.architecture") {
    info.architecture = walker.String();
  } else if (type == kString && key == "general.name") {
    info.name = walker.String();
  } else if (type == kBool && key == kSyntheticKey) {
    info.synthetic_weights = walker.Integer(1) != 0;
  } else {
    walker.Skip(type);
  }
}

}  // namespace

Result<GgufInfo> ReadGgufInfo(const std::string& path) {
  Walker walker(path);
  if (!walker.ok()) {
    return Fail(ErrorCode::kNotFound, "the model file " + path + " cannot be read",
                "name a GGUF file with --model");
  }
  constexpr std::uint64_t kMagic = 0x46554747;  // "GGUF"
  const std::uint64_t magic = walker.Integer(4);
  const std::uint64_t version = walker.Integer(4);
  walker.Integer(8);  // tensors
  const std::uint64_t keys = walker.Integer(8);
  if (!walker.ok() || magic != kMagic || version < 2 || version > 3) {
    return Fail(ErrorCode::kParse, path + " is not a GGUF file of version 2 or 3",
                "name a GGUF file with --model");
  }
  GgufInfo info;
  if (keys > kMaxKeys) walker.Break();
  for (std::uint64_t i = 0; i < keys && walker.ok(); ++i) ReadKey(walker, info);
  if (!walker.ok() || info.architecture.empty()) {
    return Fail(ErrorCode::kParse, "the metadata of the GGUF file " + path + " is broken or cut off",
                "fetch or write the file again");
  }
  info.synthetic_weights = info.synthetic_weights || IsSyntheticName(info.name);
  return info;
}

}  // namespace helix::model
