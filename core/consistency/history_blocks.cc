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

// The forms of one call: with its arguments as JSON text, and with sorted keys.
void DescribeCall(const Json& call, Block& block) {
  const Json* function = Find(call, "function");
  const Json& body = function ? *function : call;
  const Json* arguments = Find(body, "arguments");
  if (!arguments) arguments = Find(body, "input");
  const std::string name = StringAt(body, "name").value_or("") + " " +
                           StringAt(call, "id").value_or(StringAt(call, "call_id").value_or(""));
  const bool text = arguments && arguments->is_string();
  block.plain += name + (text ? arguments->get<std::string>() : arguments ? Compact(*arguments) : "");
  block.meaning += name + (arguments ? CompactSorted(Parsed(*arguments)) : "");
}

void Describe(const Json& value, Block& block) {
  const std::string head = block.role + "\n" + KindName(block.kind) + "\n";
  block.bytes = head + Compact(value);
  block.plain = head;
  block.meaning = head;
  if (block.kind == BlockKind::kToolUse) return DescribeCall(value, block);
  const Json* content = Find(value, block.kind == BlockKind::kToolResult ? "content" : "text");
  if (!content && block.kind == BlockKind::kToolResult) content = Find(value, "output");
  const std::string id = StringAt(value, "tool_use_id").value_or(StringAt(value, "call_id").value_or(""));
  const std::string plain = content ? id + TextOf(*content) : CompactSorted(value);
  block.plain += plain;
  block.meaning += plain;
}

void Add(const Message& message, BlockKind kind, const Json& value, std::vector<Block>& out) {
  Block block;
  block.message = message.index;
  block.role = message.role;
  block.kind = kind;
  block.breakpoint = Find(value, kCacheControl) != nullptr;
  Describe(value, block);
  const auto text = StringAt(value, "text");
  block.text = text ? *text : value.is_string() ? value.get<std::string>() : Compact(value);
  out.push_back(std::move(block));
}

// A string as the text block it stands for. Bytes stay those of the string.
void AddText(const Message& message, const Json& text, std::vector<Block>& out) {
  if (text.get_ref<const std::string&>().empty()) return;
  const Json block{{"type", "text"}, {"text", text}};
  Add(message, BlockKind::kText, block, out);
  out.back().bytes = message.role + "\nstring\n" + Compact(text);
}

// A message of role "tool" is one result.
void AddToolMessage(const Message& message, const Json& value, std::vector<Block>& out) {
  Json result{{"type", "tool_result"}, {"tool_use_id", StringAt(value, "tool_call_id").value_or("")}};
  const Json* content = Find(value, "content");
  result["content"] = content ? *content : Json(nullptr);
  Add(message, BlockKind::kToolResult, result, out);
  out.back().bytes = Compact(value);
}

void AddContent(const Message& message, const Json& content, std::vector<Block>& out) {
  if (content.is_string()) return AddText(message, content, out);
  if (!content.is_array()) return;
  for (const Json& part : content) {
    if (part.is_string()) {
      AddText(message, part, out);
    } else {
      Add(message, KindOfType(StringAt(part, "type").value_or("")), part, out);
    }
  }
}

void AddMessage(const Message& message, const Json& value, std::vector<Block>& out) {
  if (value.is_string()) return AddText(message, value, out);
  if (message.role == "tool") return AddToolMessage(message, value, out);
  const std::string type = StringAt(value, "type").value_or("message");
  if (message.role.empty() && type != "message") return Add(message, KindOfType(type), value, out);
  for (const char* key : {"reasoning_content", "reasoning", "reasoning_details"})
    if (const Json* reasoning = Find(value, key); reasoning && !reasoning->is_null())
      Add(message, BlockKind::kReasoning, *reasoning, out);
  if (const Json* content = Find(value, "content")) AddContent(message, *content, out);
  if (const Json* calls = Find(value, "tool_calls"); calls && calls->is_array())
    for (const Json& call : *calls) Add(message, BlockKind::kToolUse, call, out);
  if (!out.empty() && out.back().message == message.index && Find(value, kCacheControl))
    out.back().breakpoint = true;
}

}  // namespace

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
