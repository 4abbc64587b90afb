#include "core/usage/collect.h"

#include <algorithm>
#include <array>

#include "core/base/json_fields.h"
#include "core/usage/recognise.h"
#include "core/usage/usage_stream.h"

namespace helix::usage {
namespace {

constexpr int kDepth = 8;

// Parts of a recording in which a user's text could look like a reply.
bool IsRequestPart(const std::string& key) {
  static constexpr std::array<std::string_view, 8> kParts = {"request", "messages", "tools",   "system",
                                                             "input",   "prompt",   "content", "choices"};
  return std::find(kParts.begin(), kParts.end(), key) != kParts.end();
}

bool IsGeminiStream(const Json& list) {
  if (list.size() < 2) return false;
  return std::all_of(list.begin(), list.end(), [](const Json& chunk) {
    return Find(chunk, "candidates") != nullptr || Find(chunk, "usageMetadata") != nullptr;
  });
}

class Collector {
 public:
  explicit Collector(const std::string& provider) : provider_(provider) {}

  void Visit(const Json& value, int depth) {
    if (depth > kDepth) return;
    if (value.is_array()) return List(value, depth);
    if (!value.is_object()) return;
    const Json* trace = Find(value, "trace");
    if (trace != nullptr && trace->is_array()) return List(*trace, depth);
    if (auto reply = ReadReply(value, provider_)) {
      out_.replies.push_back(std::move(*reply));
      return;
    }
    Members(value, depth);
  }
  Collected Take() { return std::move(out_); }

 private:
  void List(const Json& list, int depth) {
    if (IsGeminiStream(list)) {
      UsageStream stream(provider_);
      for (const auto& chunk : list) stream.Object(chunk);
      out_.replies.push_back(stream.Finish());
      return;
    }
    out_.several = true;
    for (const auto& item : list) Visit(item, depth + 1);
  }
  void Members(const Json& object, int depth) {
    std::size_t before = out_.replies.size();
    for (const auto& [key, member] : object.items()) {
      if (!IsRequestPart(key)) Visit(member, depth + 1);
    }
    std::size_t found = out_.replies.size() - before;
    if (found > 1) out_.several = true;
    if (found != 1) return;
    Reply& only = out_.replies.back();  // times recorded beside a wrapped reply belong to it
    if (!only.ttft_ms) only.ttft_ms = NumberAt(object, "ttft_ms");
    if (!only.wall_ms) only.wall_ms = NumberAt(object, "wall_ms");
    if (only.request_id.empty()) only.request_id = StringAt(object, "requestId").value_or("");
  }

  const std::string& provider_;
  Collected out_;
};

}  // namespace

Collected CollectReplies(const Json& value, const std::string& provider) {
  Collector collector(provider);
  collector.Visit(value, 0);
  return collector.Take();
}

bool IsStatusDocument(const Json& value) {
  if (!value.is_object() || value.empty()) return false;
  if (StringAt(value, "status").has_value()) return true;
  return std::any_of(value.begin(), value.end(),
                     [](const Json& member) { return StringAt(member, "status").has_value(); });
}

}  // namespace helix::usage
