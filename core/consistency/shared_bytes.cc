#include "core/consistency/shared_bytes.h"

#include <algorithm>

#include "core/consistency/compact_json.h"

namespace helix::consistency {
namespace {

void AppendParts(const Json* value, std::string& out) {
  if (!value) return;
  if (!value->is_array()) return AppendCompact(*value, out);
  for (const Json& item : *value) AppendCompact(item, out);
}

bool Continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

std::string RenderForComparison(const RequestBody& request, RenderOrder order) {
  std::string out;
  AppendParts(request.Get(Part::kModel), out);
  const bool tools_first = order == RenderOrder::kToolsFirst;
  AppendParts(request.Get(tools_first ? Part::kTools : Part::kSystem), out);
  AppendParts(request.Get(tools_first ? Part::kSystem : Part::kTools), out);
  AppendParts(request.Get(Part::kMessages), out);
  return out;
}

SharedBytes CompareBytes(const std::string& a, const std::string& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(shorter);
  const auto at = std::mismatch(a.begin(), end, b.begin()).first;
  return {static_cast<std::size_t>(at - a.begin()), b.size()};
}

std::string ContextAround(const std::string& text, std::size_t offset, std::size_t radius) {
  offset = std::min(offset, text.size());
  std::size_t begin = offset > radius ? offset - radius : 0;
  std::size_t end = std::min(text.size(), offset + radius);
  while (begin < end && Continues(text[begin])) ++begin;
  while (end > begin && end < text.size() && Continues(text[end])) --end;
  return text.substr(begin, end - begin);
}

}  // namespace helix::consistency
