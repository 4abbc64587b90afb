#include "core/levers/eligible.h"

#include "core/base/json_fields.h"

namespace helix::levers {
namespace {

class Finder {
 public:
  explicit Finder(int frozen) : frozen_(frozen) {}

  std::map<std::string, EligibleBlock> Take(const Json& request) {
    const Json* messages = Find(request, "messages");
    if (messages == nullptr || !messages->is_array()) return {};
    automatic_ = Find(request, "cache_control") != nullptr;
    last_user_ = LastUser(*messages);
    for (std::size_t i = 0; i < messages->size(); ++i) Message((*messages)[i], i);
    // A marker freezes all that was seen up to it.
    for (auto& [pointer, order] : order_) {
      auto& block = blocks_[pointer];
      bool behind = order >= frozen_until_ && !automatic_;
      if (!behind && block.protected_because.empty())
        block.protected_because = "at or before the last cache marker";
    }
    return std::move(blocks_);
  }

 private:
  // The last message a person wrote: a user message that is not only tool results.
  static std::size_t LastUser(const Json& messages) {
    for (std::size_t i = messages.size(); i-- > 0;) {
      if (StringAt(messages[i], "role") != "user") continue;
      const Json* content = Find(messages[i], "content");
      if (content == nullptr || !content->is_array()) return i;
      for (const auto& block : *content) {
        if (StringAt(block, "type") != "tool_result") return i;
      }
    }
    return messages.size();
  }

  void Message(const Json& message, std::size_t index) {
    const std::string pointer = "/messages/" + std::to_string(index) + "/content";
    const std::string role = StringAt(message, "role").value_or("");
    std::string reason;
    if (role != "user" && role != "tool") reason = role + " message";
    if (static_cast<int>(index) < frozen_) reason = "sent in an earlier request";
    const Json* content = Find(message, "content");
    if (content == nullptr) return;
    if (content->is_string()) {
      std::string name = role == "tool" ? "tool " + StringAt(message, "tool_call_id").value_or("") : "";
      if (reason.empty() && index == last_user_) reason = "the user's last message";
      Add(pointer, name, reason);
    } else if (content->is_array()) {
      for (std::size_t k = 0; k < content->size(); ++k) {
        Part((*content)[k], pointer + "/" + std::to_string(k), index, reason);
      }
    }
    if (Find(message, "cache_control") != nullptr) frozen_until_ = next_;
  }

  void Part(const Json& part, const std::string& pointer, std::size_t index, std::string reason) {
    const std::string type = StringAt(part, "type").value_or("");
    if (type == "tool_result") {
      ToolResult(part, pointer, reason);
    } else if (type == "text") {
      if (reason.empty() && index == last_user_) reason = "the user's last message";
      Add(pointer + "/text", "", reason);
    }
    if (Find(part, "cache_control") != nullptr) frozen_until_ = next_;
  }

  void ToolResult(const Json& part, const std::string& pointer, const std::string& reason) {
    const std::string name = "tool_result " + StringAt(part, "tool_use_id").value_or("");
    const Json* content = Find(part, "content");
    if (content == nullptr) return;
    if (content->is_string()) return Add(pointer + "/content", name, reason);
    if (!content->is_array()) return;
    for (std::size_t k = 0; k < content->size(); ++k) {
      if (StringAt((*content)[k], "type") != "text") continue;
      Add(pointer + "/content/" + std::to_string(k) + "/text", content->size() == 1 ? name : "", reason);
      if (Find((*content)[k], "cache_control") != nullptr) frozen_until_ = next_;
    }
  }

  void Add(const std::string& pointer, const std::string& name, const std::string& reason) {
    blocks_[pointer] = {pointer, name, reason};
    order_[pointer] = next_++;
  }

  int frozen_;
  bool automatic_ = false;  // the server puts the marker on the last block
  std::size_t last_user_ = 0;
  std::size_t next_ = 0;
  std::size_t frozen_until_ = 0;
  std::map<std::string, EligibleBlock> blocks_;
  std::map<std::string, std::size_t> order_;
};

}  // namespace

std::map<std::string, EligibleBlock> BlocksOf(const Json& request, int frozen_messages) {
  return Finder(frozen_messages).Take(request);
}

}  // namespace helix::levers
