#include "core/base/json_fields.h"
#include "core/consistency/history_blocks.h"
#include "core/consistency/template_stage.h"

namespace helix::consistency {
namespace {

// In a system text that starts with Claude Code's attribution line the first `cch=` value of exactly five
// characters becomes fffff on llama-server's /v1/messages; the rest of the line stays and still changes.
std::string Masked(std::string text) {
  constexpr std::string_view kLine = "x-anthropic-billing-header:";
  constexpr std::string_view kField = "cch=";
  constexpr std::size_t kValue = 5;
  if (text.rfind(kLine, 0) != 0) return text;
  const std::size_t at = text.find(kField);
  if (at != std::string::npos && text.find(';', at) == at + kField.size() + kValue)
    text.replace(at + kField.size(), kValue, kValue, 'f');
  return text;
}

Json Function(const Json& tool) {
  if (Find(tool, "function")) return tool;
  Json function{{"name", StringAt(tool, "name").value_or("")},
                {"description", StringAt(tool, "description").value_or("")}};
  if (const Json* schema = Find(tool, "input_schema")) function["parameters"] = *schema;
  return Json{{"type", "function"}, {"function", function}};
}

// The pieces of one Anthropic message, as the messages that OpenAI's shape makes of them.
struct Pieces {
  std::string text;
  Json calls = Json::array();
  Json results = Json::array();
};

void TakeBlock(const Json& block, Pieces& pieces, std::vector<std::string>& notes) {
  const std::string type = StringAt(block, "type").value_or("");
  if (type == "text") {
    pieces.text += (pieces.text.empty() ? "" : "\n") + StringAt(block, "text").value_or("");
  } else if (type == "tool_use") {
    const Json* input = Find(block, "input");
    pieces.calls.push_back(Json{
        {"id", StringAt(block, "id").value_or("")},
        {"type", "function"},
        {"function",
         {{"name", StringAt(block, "name").value_or("")}, {"arguments", input ? DumpJson(*input) : "{}"}}}});
  } else if (type == "tool_result") {
    const Json* content = Find(block, "content");
    pieces.results.push_back(Json{{"role", "tool"},
                                  {"tool_call_id", StringAt(block, "tool_use_id").value_or("")},
                                  {"content", content ? TextOf(*content) : ""}});
  } else {
    notes.push_back("a block of type " + type + " was left out");
  }
}

void TakeMessage(const Json& message, Json& out, std::vector<std::string>& notes) {
  const Json* content = Find(message, "content");
  if (!content || !content->is_array() || StringAt(message, "role") == "tool") {
    out.push_back(message);
    return;
  }
  Pieces pieces;
  for (const Json& block : *content) TakeBlock(block, pieces, notes);
  const std::string role = StringAt(message, "role").value_or("user");
  if (!pieces.text.empty() || !pieces.calls.empty()) {
    Json made{{"role", role}, {"content", pieces.text}};
    if (!pieces.calls.empty()) made["tool_calls"] = pieces.calls;
    out.push_back(made);
  }
  for (Json& result : pieces.results) out.push_back(std::move(result));
}

}  // namespace

Json ToTemplateBody(const RequestBody& request, std::vector<std::string>& notes) {
  if (request.shape == BodyShape::kOpenAiChat) return request.body;
  Json body = Json::object();
  Json messages = Json::array();
  // llama-server joins the blocks of a system array without a separator, and masks a checksum in them.
  if (const Json* system = request.Get(Part::kSystem)) {
    std::string text;
    if (system->is_array()) {
      for (const Json& block : *system) text += Masked(StringAt(block, "text").value_or(""));
    } else {
      text = Masked(TextOf(*system));
    }
    messages.push_back(Json{{"role", "system"}, {"content", text}});
  }
  if (const Json* given = request.Get(Part::kMessages); given && given->is_array())
    for (const Json& message : *given) TakeMessage(message, messages, notes);
  body["messages"] = std::move(messages);
  if (const Json* tools = request.Get(Part::kTools); tools && tools->is_array()) {
    Json functions = Json::array();
    for (const Json& tool : *tools) functions.push_back(Function(tool));
    body["tools"] = std::move(functions);
  }
  return body;
}

}  // namespace helix::consistency
