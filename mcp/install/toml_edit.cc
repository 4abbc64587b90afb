#include "mcp/install/toml_edit.h"

#include <algorithm>
#include <regex>
#include <vector>

#include "core/base/json.h"
#include "mcp/install/text_lines.h"

namespace helix::mcp {
namespace {

struct Range {
  std::size_t begin = 0;  // lines
  std::size_t end = 0;
  [[nodiscard]] bool Empty() const { return begin == end; }
};

std::string Escaped(const std::string& name) {
  return std::regex_replace(name, std::regex(R"([.^$|()\[\]{}*+?\\-])"), R"(\$&)");
}

std::string NamePattern(const std::string& name) {
  const std::string word = Escaped(name);
  return "(?:" + word + "|\"" + word + "\"|'" + word + "')";
}

// Which lines lie inside a multi-line string, where a bracket is text.
std::vector<bool> InsideStrings(const std::vector<std::string>& lines) {
  std::vector<bool> inside(lines.size(), false);
  std::string open;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    inside[i] = !open.empty();
    for (std::size_t at = 0; at < lines[i].size();) {
      const std::string three = lines[i].substr(at, 3);
      const bool quotes = three == "\"\"\"" || three == "'''";
      if (open.empty() && lines[i][at] == '#') break;
      if (quotes && (open.empty() || open == three)) open = open.empty() ? three : "";
      at += quotes ? 3 : 1;
    }
  }
  return inside;
}

bool IsHeader(const std::string& line) {
  return Trimmed(line).rfind('[', 0) == 0;
}

// The table with its sub-tables; blank lines and comments before the next header belong to that header.
Range FindTable(const std::vector<std::string>& lines, const std::string& parent, const std::string& name) {
  const std::string path = R"(^\s*\[\s*)" + NamePattern(parent) + R"(\s*\.\s*)" + NamePattern(name);
  const std::regex own(path + R"(\s*\])");
  const std::regex below(path + R"(\s*[\].])");
  const auto inside = InsideStrings(lines);
  Range range;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (inside[i] || !std::regex_search(lines[i], range.Empty() ? own : below)) continue;
    if (range.Empty()) range.begin = i;
    std::size_t end = i + 1;
    while (end < lines.size() && (inside[end] || !IsHeader(lines[end]))) ++end;
    while (end > i + 1 && (Trimmed(lines[end - 1]).empty() || Trimmed(lines[end - 1])[0] == '#')) --end;
    range.end = end;
  }
  return range;
}

// parent.name written as a key (inline table or dotted), which a table header beside it would contradict.
Status RefuseInline(const std::vector<std::string>& lines, const std::string& parent,
                    const std::string& name) {
  const std::regex dotted(R"(^\s*)" + NamePattern(parent) + R"(\s*\.\s*)" + NamePattern(name) + R"(\s*[.=])");
  const std::regex whole(R"(^\s*)" + NamePattern(parent) + R"(\s*=)");
  const std::regex parent_header(R"(^\s*\[\s*)" + NamePattern(parent) + R"(\s*\])");
  const std::regex key(R"(^\s*)" + NamePattern(name) + R"(\s*[.=])");
  bool in_parent = false;
  for (const auto& line : lines) {
    if (IsHeader(line)) in_parent = std::regex_search(line, parent_header);
    if (std::regex_search(line, dotted) || std::regex_search(line, whole) ||
        (in_parent && std::regex_search(line, key))) {
      return Fail(
          ErrorCode::kInvalidArgument, "\"" + Trimmed(line) + "\" is written inline",
          "write it as a table [" + parent + "." + name + "], or edit it by hand; nothing was written");
    }
  }
  return {};
}

}  // namespace

std::string TomlString(const std::string& value) {
  return DumpJson(Json(value));
}

Result<std::string> SetTomlTable(const std::string& text, const std::string& parent, const std::string& name,
                                 const std::string& body) {
  auto lines = SplitLines(text);
  HELIX_TRY(RefuseInline(lines, parent, name));
  auto table = SplitLines("[" + parent + "." + name + "]\n" + body);
  const Range old = FindTable(lines, parent, name);
  if (old.Empty()) {
    if (!lines.empty() && !Trimmed(lines.back()).empty()) lines.emplace_back();
    lines.insert(lines.end(), table.begin(), table.end());
    return JoinLines(lines);
  }
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(old.begin);
  const auto end = lines.begin() + static_cast<std::ptrdiff_t>(old.end);
  if (std::equal(begin, end, table.begin(), table.end())) return text;
  const auto after = lines.erase(begin, end);
  lines.insert(after, table.begin(), table.end());
  return JoinLines(lines);
}

Result<std::string> RemoveTomlTable(const std::string& text, const std::string& parent,
                                    const std::string& name) {
  auto lines = SplitLines(text);
  HELIX_TRY(RefuseInline(lines, parent, name));
  Range old = FindTable(lines, parent, name);
  if (old.Empty()) return text;
  while (old.begin > 0 && Trimmed(lines[old.begin - 1]).empty()) --old.begin;
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(old.begin),
              lines.begin() + static_cast<std::ptrdiff_t>(old.end));
  return JoinLines(lines);
}

}  // namespace helix::mcp
