#include "core/base/json_fields.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

constexpr std::size_t kFewestRows = 5;

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool OpensContainer(std::string_view block) {
  auto at = block.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (block[at] == '{' || block[at] == '[');
}

bool IsScalar(const Json& value) {
  return !value.is_object() && !value.is_array();
}

bool SameKeys(const Json& a, const Json& b) {
  if (!b.is_object() || a.size() != b.size()) return false;
  auto x = a.items().begin();
  for (const auto& [key, value] : b.items()) {
    if (key != x.key() || !IsScalar(value)) return false;
    ++x;
  }
  return true;
}

// A bare word that no reader can take for a number, a literal, a separator or an empty cell.
bool StandsBare(const std::string& text) {
  if (text.empty() || text == "true" || text == "false" || text == "null") return false;
  auto first = static_cast<unsigned char>(text.front());
  if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.' || first == ' ')
    return false;
  if (text.back() == ' ') return false;
  return text.find_first_of(",\"\n\r\t\\") == std::string::npos;
}

std::string Cell(const Json& value) {
  if (value.is_string() && StandsBare(value.get_ref<const std::string&>())) return value.get<std::string>();
  return DumpJson(value);
}

// A number that our own writer would print in other digits must keep its text: no table then.
bool NumbersKeepTheirText(std::string_view block, const Json& rows) {
  const std::string ours = DumpJson(rows);
  if (ours == block) return true;
  auto minified = MinifyJson(block);
  return minified && ours == *minified;
}

}  // namespace

bool IsJsonContainer(std::string_view block) {
  // Checking builds no values, which is most of the work of parsing.
  return OpensContainer(block) && Json::accept(block.begin(), block.end());
}

std::optional<std::string> MinifyJson(std::string_view block) {
  if (!IsJsonContainer(block)) return std::nullopt;
  std::string out;
  out.reserve(block.size());
  bool in_string = false;
  for (std::size_t i = 0; i < block.size(); ++i) {
    char c = block[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < block.size()) out += block[++i];
      if (c == '"') in_string = false;
    } else if (!IsBlank(c)) {
      out += c;
      in_string = c == '"';
    }
  }
  if (out.size() == block.size()) return std::nullopt;
  return out;
}

std::optional<std::string> TabulateJson(std::string_view block) {
  if (!OpensContainer(block)) return std::nullopt;
  auto rows = ParseJson(block);
  if (!rows || !rows->is_array() || rows->size() < kFewestRows || !(*rows)[0].is_object())
    return std::nullopt;
  if ((*rows)[0].empty()) return std::nullopt;
  for (const auto& row : *rows) {
    if (!SameKeys((*rows)[0], row)) return std::nullopt;
  }
  if (!NumbersKeepTheirText(block, *rows)) return std::nullopt;
  std::string out;
  for (const auto& [key, value] : (*rows)[0].items()) out += (out.empty() ? "" : ",") + Cell(Json(key));
  for (const auto& row : *rows) {
    out += '\n';
    bool first = true;
    for (const auto& value : row) {
      if (!first) out += ',';
      first = false;
      out += Cell(value);
    }
  }
  return out;
}

}  // namespace helix::levers
