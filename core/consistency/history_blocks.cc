#include "core/consistency/history_blocks.h"

#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/compact_json.h"

namespace helix::consistency {
namespace {

struct Message {
  std::size_t index = 0;
  std::string role;
};

const char* KindName(BlockKind kind) {
  switch (kind) {
    case BlockKind::kText:
      return "text";
    case BlockKind::kReasoning:
      return "reasoning";
    case BlockKind::kToolUse:
      return "tool_use";
    case BlockKind::kToolResult:
      return "tool_result";
    case BlockKind::kOther:
      return "other";
  }
  return "other";
}

BlockKind KindOfType(const std::string& type) {
  if (type == "text" || type == "input_text" || type == "output_text") return BlockKind::kText;
  if (type == "thinking" || type == "redacted_thinking" || type == "reasoning") return BlockKind::kReasoning;
  if (type == "tool_use" || type == "function" || type == "function_call") return BlockKind::kToolUse;
  if (type == "tool_result" || type == "function_call_output") return BlockKind::kToolResult;
  return BlockKind::kOther;
}

// Arguments as JSON: parsed when they are a string of JSON.
Json Parsed(const Json& value) {
  if (!value.is_string()) return value;
  auto parsed = ParseJson(value.get_ref<const std::string&>());
  return parsed ? std::move(*parsed) : value;
}

std::string CallText(const Json& call, bool sorted) {
  const Json* function = Find(call, "function");
  const Json& body = function ? *function : call;
  const Json* arguments = Find(body, "arguments");
  if (!arguments) arguments = Find(body, "input");
  const std::string name = StringAt(body, "name").value_or("") + " " +
                           StringAt(call, "id").value_or(StringAt(call, "call_id").value_or(""));
  if (!arguments) return name;
  if (sorted) return name + CompactSorted(Parsed(*arguments));
  return name + (arguments->is_string() ? arguments->get<std::string>() : Compact(*arguments));
}

// What a block that is no call says: the id it answers and its content.
std::string ContentText(const Block& block) {
  const Json& value = *block.value;
  if (block.form == BlockForm::kString) return value.get<std::string>();
  const bool result = block.kind == BlockKind::kToolResult;
  const Json* content = Find(value, result ? "content" : "text");
  if (block.form == BlockForm::kToolMessage)
    return StringAt(value, "tool_call_id").value_or("") + (content ? TextOf(*content) : "");
  if (!content && result) content = Find(value, "output");
  if (!content) return CompactSorted(value);
  return StringAt(value, "tool_use_id").value_or(StringAt(value, "call_id").value_or("")) + TextOf(*content);
}

std::string Head(const Block& block) {
  return block.role + "\n" + KindName(block.kind) + "\n";
}

void Add(const Message& message, BlockKind kind, BlockForm form, const Json& value, std::vector<Block>& out) {
  const bool marked = form == BlockForm::kPart && Find(value, kCacheControl) != nullptr;
  out.push_back({message.index, message.role, kind, form, &value, marked});
}

// A string as the text block it stands for.
void AddText(const Message& message, const Json& text, std::vector<Block>& out) {
  if (text.get_ref<const std::string&>().empty()) return;
  Add(message, BlockKind::kText, BlockForm::kString, text, out);
}

void AddContent(const Message& message, const Json& content, std::vector<Block>& out) {
  if (content.is_string()) return AddText(message, content, out);
  if (!content.is_array()) return;
  for (const Json& part : content) {
    if (part.is_string()) {
      AddText(message, part, out);
    } else {
      Add(message, KindOfType(StringAt(part, "type").value_or("")), BlockForm::kPart, part, out);
    }
  }
}

void AddMessage(const Message& message, const Json& value, std::vector<Block>& out) {
  if (value.is_string()) return AddText(message, value, out);
  if (message.role == "tool")  // one result
    return Add(message, BlockKind::kToolResult, BlockForm::kToolMessage, value, out);
  const std::string type = StringAt(value, "type").value_or("message");
  if (message.role.empty() && type != "message")
    return Add(message, KindOfType(type), BlockForm::kPart, value, out);
  for (const char* key : {"reasoning_content", "reasoning", "reasoning_details"})
    if (const Json* reasoning = Find(value, key); reasoning && !reasoning->is_null())
      Add(message, BlockKind::kReasoning, BlockForm::kPart, *reasoning, out);
  if (const Json* content = Find(value, "content")) AddContent(message, *content, out);
  if (const Json* calls = Find(value, "tool_calls"); calls && calls->is_array())
    for (const Json& call : *calls) Add(message, BlockKind::kToolUse, BlockForm::kPart, call, out);
  if (!out.empty() && out.back().message == message.index && Find(value, kCacheControl))
    out.back().breakpoint = true;
}

}  // namespace

std::string Block::Bytes() const {
  if (form == BlockForm::kToolMessage) return Compact(*value);
  return (form == BlockForm::kString ? role + "\nstring\n" : Head(*this)) + Compact(*value);
}

std::string Block::Plain() const {
  return Head(*this) + (kind == BlockKind::kToolUse ? CallText(*value, false) : ContentText(*this));
}

std::string Block::Meaning() const {
  return kind == BlockKind::kToolUse ? Head(*this) + CallText(*value, true) : Plain();
}

std::string Block::Text() const {
  if (value->is_string()) return value->get<std::string>();
  const Json* content = form == BlockForm::kToolMessage ? Find(*value, "content") : nullptr;
  if (content) return Compact(*content);
  const auto text = StringAt(*value, "text");
  return text ? *text : Compact(*value);
}

std::string TextOf(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) return content.is_null() ? "" : Compact(content);
  std::string text;
  for (const Json& part : content) {
    if (!text.empty()) text += '\n';
    const auto own = StringAt(part, "text");
    text += own ? *own : part.is_string() ? part.get<std::string>() : Compact(part);
  }
  return text;
}

std::vector<Block> BlocksOf(const Json& messages) {
  std::vector<Block> blocks;
  if (!messages.is_array()) {
    if (messages.is_string()) AddText({0, "user"}, messages, blocks);
    return blocks;
  }
  for (std::size_t i = 0; i < messages.size(); ++i)
    AddMessage({i, StringAt(messages[i], "role").value_or("")}, messages[i], blocks);
  return blocks;
}

}  // namespace helix::consistency
