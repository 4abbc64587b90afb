#include "core/consistency/first_divergence.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/json_fields.h"
#include "core/consistency/compact_json.h"

namespace helix::consistency {
namespace {

using Found = std::optional<Divergence>;
using Member = std::pair<const std::string*, const Json*>;

Found Differ(const Json* a, const Json* b, const std::string& pointer) {
  Divergence divergence;
  divergence.pointer = pointer;
  divergence.a = a;
  divergence.b = b;
  return divergence;
}

std::vector<Member> Members(const Json& object) {
  std::vector<Member> members;
  for (auto it = object.begin(); it != object.end(); ++it)
    if (it.key() != kCacheControl) members.emplace_back(&it.key(), &it.value());
  return members;
}

Found Compare(const Json& a, const Json& b, const std::string& pointer);

Found CompareKeys(const Json& a, const Json& b, const Member& in_a, const Member& in_b,
                  const std::string& pointer) {
  if (!Find(b, *in_a.first)) return Differ(in_a.second, nullptr, PointerTo(pointer, *in_a.first));
  if (!Find(a, *in_b.first)) return Differ(nullptr, in_b.second, PointerTo(pointer, *in_b.first));
  Found found = Differ(&a, &b, pointer);
  found->key_order_only = CompactSorted(a) == CompactSorted(b);
  return found;
}

Found CompareObjects(const Json& a, const Json& b, const std::string& pointer) {
  const auto left = Members(a);
  const auto right = Members(b);
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (*left[i].first != *right[i].first) return CompareKeys(a, b, left[i], right[i], pointer);
    if (Found found = Compare(*left[i].second, *right[i].second, PointerTo(pointer, *left[i].first)))
      return found;
  }
  if (left.size() > right.size())
    return Differ(left[right.size()].second, nullptr, PointerTo(pointer, *left[right.size()].first));
  if (right.size() > left.size())
    return Differ(nullptr, right[left.size()].second, PointerTo(pointer, *right[left.size()].first));
  return std::nullopt;
}

Found CompareArrays(const Json& a, const Json& b, const std::string& pointer) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i)
    if (Found found = Compare(a[i], b[i], PointerTo(pointer, i))) return found;
  if (a.size() > common) return Differ(&a[common], nullptr, PointerTo(pointer, common));
  if (b.size() > common) return Differ(nullptr, &b[common], PointerTo(pointer, common));
  return std::nullopt;
}

Found CompareStrings(const Json& a, const Json& b, const std::string& pointer) {
  const auto& left = a.get_ref<const std::string&>();
  const auto& right = b.get_ref<const std::string&>();
  if (left == right) return std::nullopt;
  Found found = Differ(&a, &b, pointer);
  const std::size_t common = std::min(left.size(), right.size());
  while (found->offset < common && left[found->offset] == right[found->offset]) ++found->offset;
  return found;
}

Found Compare(const Json& a, const Json& b, const std::string& pointer) {
  if (a.is_object() && b.is_object()) return CompareObjects(a, b, pointer);
  if (a.is_array() && b.is_array()) return CompareArrays(a, b, pointer);
  if (a.is_string() && b.is_string()) return CompareStrings(a, b, pointer);
  return a == b ? std::nullopt : Differ(&a, &b, pointer);
}

// A message that only grew at its end (more content blocks) is still a prefix.
bool OnlyGrew(const Json& a, const Json& b) {
  const Json* left = Find(a, "content");
  const Json* right = Find(b, "content");
  if (!left || !right || !left->is_array() || !right->is_array() || left->size() >= right->size())
    return false;
  Json shortened = b;
  Json& content = shortened["content"];
  content.erase(content.begin() + static_cast<std::ptrdiff_t>(left->size()), content.end());
  return !Compare(a, shortened, "");
}

Found CompareMessages(const Json& a, const Json& b, const std::string& pointer) {
  if (a.is_string() && b.is_string()) {
    Found found = CompareStrings(a, b, pointer);
    const bool prefix = found && found->offset == std::min(a.get_ref<const std::string&>().size(),
                                                           b.get_ref<const std::string&>().size());
    return prefix ? std::nullopt : found;
  }
  if (!a.is_array() || !b.is_array()) return Compare(a, b, pointer);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    Found found = Compare(a[i], b[i], PointerTo(pointer, i));
    if (!found) continue;
    if (i + 1 == a.size() && OnlyGrew(a[i], b[i])) return std::nullopt;
    found->index = i;
    return found;
  }
  return std::nullopt;
}

// The element index that a pointer names below the part.
std::size_t IndexBelow(const std::string& pointer, std::size_t part_length) {
  std::size_t index = 0;
  for (std::size_t i = part_length + 1; i < pointer.size() && pointer[i] >= '0' && pointer[i] <= '9'; ++i)
    index = index * 10 + static_cast<std::size_t>(pointer[i] - '0');
  return index;
}

}  // namespace

std::optional<Divergence> PartDivergence(const RequestBody& a, const RequestBody& b, Part part) {
  const Json* left = a.Get(part);
  const Json* right = b.Get(part);
  const std::string pointer = a.Pointer(part);
  if (!left && !right) return std::nullopt;
  Found found;
  if (!left || !right) {
    found = Differ(left, right, pointer);
  } else if (part == Part::kMessages) {
    found = CompareMessages(*left, *right, pointer);
  } else {
    found = Compare(*left, *right, pointer);
    if (found) found->index = IndexBelow(found->pointer, pointer.size());
  }
  if (found) found->part = part;
  return found;
}

std::optional<Divergence> FirstDivergence(const RequestBody& a, const RequestBody& b) {
  for (Part part : {Part::kModel, Part::kTools, Part::kSystem, Part::kMessages})
    if (Found found = PartDivergence(a, b, part)) return found;
  return std::nullopt;
}

}  // namespace helix::consistency
