#include "core/consistency/shared_bytes.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/consistency/compact_json.h"

namespace helix::consistency {
namespace {

using Items = std::vector<const Json*>;

void AddItems(const RequestBody& request, Part part, Items& items) {
  const Json* value = request.Get(part);
  if (!value) return;
  if (!value->is_array()) return items.push_back(value);
  for (const Json& item : *value) items.push_back(&item);
}

// All that stands before the messages.
Items FrontOf(const RequestBody& request, RenderOrder order) {
  const bool tools_first = order == RenderOrder::kToolsFirst;
  Items items;
  AddItems(request, Part::kModel, items);
  AddItems(request, tools_first ? Part::kTools : Part::kSystem, items);
  AddItems(request, tools_first ? Part::kSystem : Part::kTools, items);
  return items;
}

Items MessagesOf(const RequestBody& request) {
  Items items;
  AddItems(request, Part::kMessages, items);
  return items;
}

Items AllOf(const RequestBody& request, RenderOrder order) {
  Items items = FrontOf(request, order);
  AddItems(request, Part::kMessages, items);
  return items;
}

// The compact JSON of the items one after the other, held one item at a time.
class Rendering {
 public:
  explicit Rendering(const Items& items) : items_(items) {}

  // What is held and not yet taken; the next item where that is nothing. Empty at the end.
  std::string_view Held() {
    while (taken_ == held_.size() && next_ < items_.size()) {
      held_.clear();
      taken_ = 0;
      AppendCompact(*items_[next_++], held_);
    }
    return std::string_view(held_).substr(taken_);
  }
  void Take(std::size_t bytes) { taken_ += bytes; }

 private:
  const Items& items_;
  std::size_t next_ = 0;
  std::string held_;
  std::size_t taken_ = 0;
};

std::size_t CommonPrefix(std::string_view a, std::string_view b) {
  constexpr std::size_t kStep = 64;
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at + kStep <= shorter && std::memcmp(a.data() + at, b.data() + at, kStep) == 0) at += kStep;
  while (at < shorter && a[at] == b[at]) ++at;
  return at;
}

struct Compared {
  std::size_t common = 0;
  bool a_ended = false, b_ended = false;
};

Compared Compare(const Items& a, const Items& b) {
  Rendering left(a), right(b);
  Compared result;
  while (true) {
    const std::string_view held_a = left.Held();
    const std::string_view held_b = right.Held();
    const std::size_t common = CommonPrefix(held_a, held_b);
    result.common += common;
    left.Take(common);
    right.Take(common);
    result.a_ended = held_a.empty();
    result.b_ended = held_b.empty();
    if (common == 0) return result;
  }
}

std::size_t SizeOf(const Items& items) {
  Rendering rendering(items);
  std::size_t size = 0;
  for (std::string_view held = rendering.Held(); !held.empty(); held = rendering.Held()) {
    size += held.size();
    rendering.Take(held.size());
  }
  return size;
}

bool Continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

std::string RenderForComparison(const RequestBody& request, RenderOrder order) {
  std::string rendered;
  for (const Json* item : AllOf(request, order)) AppendCompact(*item, rendered);
  return rendered;
}

SharedInBothOrders CompareRequests(const RequestBody& a, const RequestBody& b) {
  const Items messages_a = MessagesOf(a);
  const Items messages_b = MessagesOf(b);
  const Compared messages = Compare(messages_a, messages_b);
  const std::size_t size = SizeOf(messages_b);
  const auto compare = [&](RenderOrder order) {
    const Items front_b = FrontOf(b, order);
    const Compared front = Compare(FrontOf(a, order), front_b);
    const std::size_t total = SizeOf(front_b) + size;
    if (front.a_ended && front.b_ended) return SharedBytes{front.common + messages.common, total};
    // One front begins like the other and goes on where that one has its messages.
    if (front.a_ended || front.b_ended)
      return SharedBytes{Compare(AllOf(a, order), AllOf(b, order)).common, total};
    return SharedBytes{front.common, total};
  };
  return {compare(RenderOrder::kToolsFirst), compare(RenderOrder::kSystemFirst)};
}

std::string RenderedContext(const RequestBody& request, std::size_t offset, std::size_t radius) {
  const Items items = AllOf(request, RenderOrder::kToolsFirst);
  Rendering rendering(items);
  std::string near;
  std::size_t before = 0;  // bytes that were left out
  for (std::string_view held = rendering.Held(); !held.empty(); held = rendering.Held()) {
    const bool far = near.empty() && before + held.size() + radius <= offset;
    if (far) {
      before += held.size();
    } else {
      near += held;
    }
    rendering.Take(held.size());
    if (before + near.size() > offset + radius) break;  // one byte more, to see where a character ends
  }
  return ContextAround(near, offset - std::min(offset, before), radius);
}

SharedBytes CompareBytes(const std::string& a, const std::string& b) {
  return {CommonPrefix(a, b), b.size()};
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
