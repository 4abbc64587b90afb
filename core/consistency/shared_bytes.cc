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
  return RenderParts(request).Joined(order);
}

std::string RenderedParts::Joined(RenderOrder order) const {
  const bool tools_first = order == RenderOrder::kToolsFirst;
  return model + (tools_first ? tools + system : system + tools) + messages;
}

RenderedParts RenderParts(const RequestBody& request) {
  RenderedParts parts;
  AppendParts(request.Get(Part::kModel), parts.model);
  AppendParts(request.Get(Part::kTools), parts.tools);
  AppendParts(request.Get(Part::kSystem), parts.system);
  AppendParts(request.Get(Part::kMessages), parts.messages);
  return parts;
}

// As long as the parts are equal the joined strings are compared without being joined; from the first part
// that differs on they are.
SharedBytes CompareParts(const RenderedParts& a, const RenderedParts& b, RenderOrder order) {
  const bool tools_first = order == RenderOrder::kToolsFirst;
  using Member = std::string RenderedParts::*;
  const Member parts[] = {&RenderedParts::model, tools_first ? &RenderedParts::tools : &RenderedParts::system,
                          tools_first ? &RenderedParts::system : &RenderedParts::tools,
                          &RenderedParts::messages};
  SharedBytes shared{0, b.model.size() + b.tools.size() + b.system.size() + b.messages.size()};
  for (const Member part : parts) {
    const std::size_t common = CompareBytes(a.*part, b.*part).common;
    shared.common += common;
    if (common == (a.*part).size() && common == (b.*part).size()) continue;
    const bool inside = common < (a.*part).size() && common < (b.*part).size();
    return inside ? shared : CompareBytes(a.Joined(order), b.Joined(order));
  }
  return shared;
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
