#include "mcp/install/jsonc_edit.h"

#include <algorithm>

#include "mcp/install/jsonc_object.h"

namespace helix::mcp {
namespace {

// Spaces and tabs between the start of the line and `at`, when nothing else stands there.
std::string LineIndent(const std::string& text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::size_t end = text.find_first_not_of(" \t", line);
  return text.substr(line, std::min(end, at) - line);
}

std::string Indented(const Json& value, const std::string& indent) {
  std::string out;
  for (char c : DumpPretty(value)) {
    out += c;
    if (c == '\n') out += indent;
  }
  return out;
}

// value wrapped in the objects that `path` names from `from` on.
Json Nested(const std::vector<std::string>& path, std::size_t from, const Json& value) {
  if (from == path.size()) return value;
  Json object = Json::object();
  object[path[from]] = Nested(path, from + 1, value);
  return object;
}

std::string Insert(const std::string& text, const JsoncObject& object, const std::string& key,
                   const Json& value) {
  const std::string outer = LineIndent(text, object.close_at);
  const bool one_line = text.find('\n', object.open_at) >= object.close_at;
  const std::string indent =
      one_line || object.members.empty() ? outer + "  " : LineIndent(text, object.members.back().key_at);
  const std::string member = "\n" + indent + DumpJson(Json(key)) + ": " + Indented(value, indent);
  if (object.members.empty()) {
    const std::size_t at = object.open_at + 1;
    return text.substr(0, at) + member + (one_line ? "\n" + outer : "") + text.substr(at);
  }
  const JsoncMember& last = object.members.back();
  const std::size_t at = last.comma_at != 0 ? last.comma_at + 1 : last.value_end;
  return text.substr(0, at) + (last.comma_at != 0 ? "" : ",") + member + (one_line ? "\n" + outer : "") +
         text.substr(at);
}

std::string Replace(const std::string& text, const JsoncMember& member, const Json& value) {
  const std::string written = text.substr(member.value_at, member.value_end - member.value_at);
  if (const auto old = ParseJson(written); old && *old == value) return text;
  return text.substr(0, member.value_at) + Indented(value, LineIndent(text, member.key_at)) +
         text.substr(member.value_end);
}

// The deepest object of `path` that is there, and how many steps lead to it.
struct Found {
  JsoncObject object;
  std::size_t depth = 0;
};

Result<Found> Descend(const std::string& text, const std::vector<std::string>& path) {
  auto root = ReadJsoncObject(text, 0);
  if (!root) return tl::make_unexpected(root.error());
  HELIX_TRY(ExpectJsoncEnd(text, root->close_at + 1));
  Found found{*std::move(root), 0};
  while (found.depth + 1 < path.size()) {
    const JsoncMember* next = found.object.Find(path[found.depth]);
    if (next == nullptr) break;
    if (text[next->value_at] != '{') {
      return Fail(ErrorCode::kParse, "\"" + next->key + "\" is not an object", "nothing was written");
    }
    auto inner = ReadJsoncObject(text, next->value_at);
    if (!inner) return tl::make_unexpected(inner.error());
    found = {*std::move(inner), found.depth + 1};
  }
  return found;
}

// The member with one of the commas beside it, and the white space before it.
std::string Without(const std::string& text, const JsoncObject& object, const JsoncMember& member) {
  const bool first = &member == &object.members.front();
  std::size_t from = text.find_last_not_of(" \t\r\n", member.key_at - 1) + 1;
  std::size_t to = member.value_end;
  if (member.comma_at != 0) {
    to = member.comma_at + 1;
  } else if (!first) {
    const JsoncMember& before = *(&member - 1);
    return text.substr(0, before.comma_at) + text.substr(before.comma_at + 1, from - before.comma_at - 1) +
           text.substr(to);
  }
  return text.substr(0, from) + text.substr(to);
}

}  // namespace

Result<std::string> SetJsoncMember(const std::string& text, const std::vector<std::string>& path,
                                   const Json& value) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return DumpPretty(Nested(path, 0, value)) + "\n";
  auto found = Descend(text, path);
  if (!found) return tl::make_unexpected(found.error());
  const std::string& key = path[found->depth];
  const JsoncMember* member = found->object.Find(key);
  if (member != nullptr) return Replace(text, *member, value);
  return Insert(text, found->object, key, Nested(path, found->depth + 1, value));
}

Result<std::string> RemoveJsoncMember(const std::string& text, const std::vector<std::string>& path) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return text;
  auto found = Descend(text, path);
  if (!found) return tl::make_unexpected(found.error());
  if (found->depth + 1 != path.size()) return text;
  const JsoncMember* member = found->object.Find(path.back());
  return member == nullptr ? text : Without(text, found->object, *member);
}

}  // namespace helix::mcp
