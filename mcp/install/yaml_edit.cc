#include "mcp/install/yaml_edit.h"

#include <algorithm>
#include <optional>
#include <regex>

#include "mcp/install/text_lines.h"

namespace helix::mcp {
namespace {

std::size_t Indent(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool IsBlankOrComment(const std::string& line) {
  return Trimmed(line).empty() || Trimmed(line)[0] == '#';
}

bool IsItem(const std::string& line) {
  return Trimmed(line) == "-" || Trimmed(line).rfind("- ", 0) == 0;
}

struct Item {
  std::size_t begin = 0;  // lines
  std::size_t end = 0;
  std::string name;
};

struct ServerList {
  std::optional<std::size_t> key_line;  // of "servers:"
  std::size_t end = 0;                  // one past the list's last line
  std::size_t indent = 2;               // of the dashes
  std::vector<Item> items;
};

std::string NameOf(const std::vector<std::string>& lines, const Item& item) {
  static const std::regex name(R"re(^\s*(?:-\s+)?name:\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$)re");
  for (std::size_t i = item.begin; i < item.end; ++i) {
    std::smatch match;
    if (std::regex_match(lines[i], match, name)) return match[1].str() + match[2].str() + match[3].str();
  }
  return "";
}

// Lines from `begin` that are indented deeper than the dash belong to its item.
std::size_t ItemEnd(const std::vector<std::string>& lines, std::size_t begin, std::size_t indent) {
  std::size_t end = begin + 1;
  for (std::size_t i = end; i < lines.size(); ++i) {
    if (IsBlankOrComment(lines[i])) continue;
    if (Indent(lines[i]) <= indent) break;
    end = i + 1;
  }
  return end;
}

Result<ServerList> ReadList(const std::vector<std::string>& lines) {
  static const std::regex key(R"(^servers:\s*(.*?)\s*(?:#.*)?$)");
  ServerList list;
  for (std::size_t i = 0; i < lines.size() && !list.key_line; ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i], match, key)) continue;
    if (!match[1].str().empty() && match[1].str() != "[]") {
      return Fail(ErrorCode::kInvalidArgument, "\"servers:\" is not a list of lines that start with a dash",
                  "write it in block style, or edit it by hand; nothing was written");
    }
    list.key_line = i;
    list.end = i + 1;
  }
  if (!list.key_line) return list;
  for (std::size_t i = list.end; i < lines.size();) {
    if (IsBlankOrComment(lines[i])) {
      ++i;
      continue;
    }
    if (!IsItem(lines[i]) || (!list.items.empty() && Indent(lines[i]) != list.indent)) break;
    list.indent = Indent(lines[i]);
    Item item{i, ItemEnd(lines, i, list.indent), ""};
    item.name = NameOf(lines, item);
    i = list.end = item.end;
    list.items.push_back(std::move(item));
  }
  return list;
}

std::vector<std::string> ItemLines(std::size_t indent, const std::string& name,
                                   const std::vector<std::string>& fields) {
  std::vector<std::string> lines{std::string(indent, ' ') + "- name: " + name};
  for (const auto& field : fields) lines.push_back(std::string(indent + 2, ' ') + field);
  return lines;
}

const Item* FindItem(const ServerList& list, const std::string& name) {
  const auto it =
      std::find_if(list.items.begin(), list.items.end(), [&](const Item& i) { return i.name == name; });
  return it == list.items.end() ? nullptr : &*it;
}

std::vector<std::string>::iterator Line(std::vector<std::string>& lines, std::size_t i) {
  return lines.begin() + static_cast<std::ptrdiff_t>(i);
}

}  // namespace

Result<std::string> SetYamlServer(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& fields) {
  auto lines = SplitLines(text);
  auto list = ReadList(lines);
  if (!list) return tl::make_unexpected(list.error());
  if (!list->key_line) {
    lines.emplace_back("servers:");
    list->end = lines.size();
  } else if (list->items.empty()) {
    lines[*list->key_line] = "servers:";
  }
  const auto item = ItemLines(list->indent, name, fields);
  const Item* old = FindItem(*list, name);
  if (old == nullptr) {
    lines.insert(Line(lines, list->end), item.begin(), item.end());
    return JoinLines(lines);
  }
  if (std::equal(Line(lines, old->begin), Line(lines, old->end), item.begin(), item.end())) return text;
  const auto after = lines.erase(Line(lines, old->begin), Line(lines, old->end));
  lines.insert(after, item.begin(), item.end());
  return JoinLines(lines);
}

Result<std::string> RemoveYamlServer(const std::string& text, const std::string& name) {
  auto lines = SplitLines(text);
  auto list = ReadList(lines);
  if (!list) return tl::make_unexpected(list.error());
  const Item* old = FindItem(*list, name);
  if (old == nullptr) return text;
  lines.erase(Line(lines, old->begin), Line(lines, old->end));
  if (list->items.size() == 1) lines[*list->key_line] = "servers: []";
  return JoinLines(lines);
}

}  // namespace helix::mcp
