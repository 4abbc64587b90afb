#include "core/consistency/transforms.h"

#include <map>
#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/history_blocks.h"
#include "core/consistency/volatile_text.h"

namespace helix::consistency {
namespace {

bool IsSystem(const Json& message) {
  const auto role = StringAt(message, "role");
  return role && (*role == "system" || *role == "developer");
}

void Join(std::string& text, const std::string& more) {
  if (more.empty()) return;
  if (!text.empty()) text += '\n';
  text += more;
}

Result<RequestBody> HoistSystem(RequestBody request) {
  const Json* messages = request.Get(Part::kMessages);
  if (!messages || !messages->is_array()) return request;
  const Json* leading = request.Get(Part::kSystem);
  std::string system = leading ? TextOf(*leading) : "";
  Json rest = Json::array();
  for (const Json& message : *messages) {
    const Json* content = Find(message, "content");
    if (IsSystem(message)) {
      if (content) Join(system, TextOf(*content));
    } else {
      rest.push_back(message);
    }
  }
  if (!system.empty()) request.body[request.system_key] = system;
  request.body[request.messages_key] = std::move(rest);
  return request;
}

void StripAttributionIn(Json& blocks) {
  Json kept = Json::array();
  for (Json& block : blocks)
    if (!IsAttributionLine(StringAt(block, "text").value_or(""))) kept.push_back(std::move(block));
  blocks = std::move(kept);
}

Result<RequestBody> StripAttribution(RequestBody request) {
  auto system = request.body.find(request.system_key);
  if (system == request.body.end()) return request;
  if (system->is_array()) {
    StripAttributionIn(*system);
  } else if (system->is_string() && IsAttributionLine(system->get_ref<const std::string&>())) {
    const std::string& text = system->get_ref<const std::string&>();
    const std::size_t end = text.find('\n');
    *system = end == std::string::npos ? std::string() : text.substr(end + 1);
  }
  return request;
}

void DropReasoningBlocks(Json& content) {
  Json kept = Json::array();
  for (Json& part : content) {
    const std::string type = StringAt(part, "type").value_or("");
    if (type != "thinking" && type != "redacted_thinking" && type != "reasoning")
      kept.push_back(std::move(part));
  }
  content = std::move(kept);
}

Result<RequestBody> DropReasoning(RequestBody request) {
  auto messages = request.body.find(request.messages_key);
  if (messages == request.body.end() || !messages->is_array()) return request;
  DropReasoningBlocks(*messages);  // items of the Responses API
  for (Json& message : *messages) {
    if (!message.is_object()) continue;
    for (const char* key : {"reasoning_content", "reasoning", "reasoning_details"}) message.erase(key);
    if (auto content = message.find("content"); content != message.end() && content->is_array())
      DropReasoningBlocks(*content);
  }
  return request;
}

Json Sorted(const Json& value) {
  if (value.is_array()) {
    Json result = Json::array();
    for (const Json& item : value) result.push_back(Sorted(item));
    return result;
  }
  if (!value.is_object()) return value;
  std::map<std::string, const Json*> members;
  for (auto it = value.begin(); it != value.end(); ++it) members[it.key()] = &it.value();
  Json result = Json::object();
  for (const auto& [key, member] : members) result[key] = Sorted(*member);
  return result;
}

}  // namespace

Result<RequestBody> ApplyTransform(const RequestBody& request, const std::string& name) {
  if (name.empty() || name == "none") return request;
  if (name == "hoist_system") return HoistSystem(request);
  if (name == "strip_attribution") return StripAttribution(request);
  if (name == "drop_reasoning" || name == "drop_thinking" || name == "strip_thinking")
    return DropReasoning(request);
  if (name == "sort_keys") {
    RequestBody sorted = request;
    sorted.body = Sorted(request.body);
    return sorted;
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown transform \"" + name + "\"",
              "use hoist_system, strip_attribution, drop_reasoning, sort_keys or none");
}

}  // namespace helix::consistency
