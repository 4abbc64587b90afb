#include "core/usage/json_lines.h"

#include "core/base/json_fields.h"
#include "core/usage/collect.h"
#include "core/usage/usage_stream.h"

namespace helix::usage {
namespace {

bool IsStreamEvent(const Json& line) {
  auto type = StringAt(line, "type").value_or("");
  if (type == "message_start" || type == "message_delta" || type == "message_stop" || type == "ping")
    return true;
  if (type.starts_with("content_block_") || type.starts_with("response.")) return true;
  return StringAt(line, "object") == "chat.completion.chunk" || BoolAt(line, "done").has_value();
}

// The event that ends a reply, where the kind of stream has one.
bool Closes(const Json& line) {
  auto type = StringAt(line, "type").value_or("");
  return type == "message_stop" || type == "response.completed" || BoolAt(line, "done").value_or(false);
}

}  // namespace

std::optional<std::vector<Json>> ParseJsonLines(std::string_view text) {
  std::vector<Json> lines;
  while (!text.empty()) {
    auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      auto value = ParseJson(line);
      if (!value || !value->is_object()) return std::nullopt;
      lines.push_back(std::move(*value));
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (lines.empty()) return std::nullopt;
  return lines;
}

std::vector<Reply> RepliesOfLines(const std::vector<Json>& lines, const std::string& provider) {
  std::vector<Reply> replies;
  std::optional<UsageStream> stream;
  auto close = [&] {
    if (stream) replies.push_back(stream->Finish());
    stream.reset();
  };
  for (const auto& line : lines) {
    if (IsStreamEvent(line)) {
      if (!stream) stream.emplace(provider);
      stream->Object(line);
      if (Closes(line)) close();
      continue;
    }
    close();
    for (auto& reply : CollectReplies(line, provider).replies) replies.push_back(std::move(reply));
  }
  close();
  return replies;
}

}  // namespace helix::usage
