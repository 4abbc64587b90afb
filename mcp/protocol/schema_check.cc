#include "mcp/protocol/schema_check.h"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/base/json_fields.h"
#include "mcp/protocol/near_words.h"

namespace helix::mcp {
namespace {

using Problems = std::vector<std::string>;

std::string Shown(const Json& value) {
  std::string text = DumpJson(value);
  if (text.size() <= 80) return text;
  std::size_t end = 77;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string Place(const std::string& where) {
  return where.empty() ? "the value" : "`" + where + "`";
}

// Beyond 2^53 a double, and so half of all JSON readers, no longer holds every integer.
bool BeyondExact(const Json& value) {
  return value.is_number() && !(std::fabs(value.get<double>()) <= 9007199254740992.0);
}

bool IsInteger(const Json& value) {
  if (!value.is_number() || BeyondExact(value)) return false;
  return value.is_number_integer() || std::floor(value.get<double>()) == value.get<double>();
}

bool HasType(const std::string& type, const Json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return IsInteger(value);
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

std::vector<std::string> Types(const Json& schema) {
  const Json* type = Find(schema, "type");
  if (type == nullptr) return {};
  if (type->is_string()) return {type->get<std::string>()};
  std::vector<std::string> types;
  for (const Json& item : *type) {
    if (item.is_string()) types.push_back(item.get<std::string>());
  }
  return types;
}

bool Contains(const Json& list, const Json& value) {
  for (const Json& item : list) {
    if (item == value) return true;
  }
  return false;
}

std::size_t CodePoints(const std::string& text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return n;
}

bool WithinLengths(const Json& schema, std::size_t size, const char* min_word, const char* max_word) {
  const auto min = IntAt(schema, min_word);
  const auto max = IntAt(schema, max_word);
  return (!min || static_cast<std::int64_t>(size) >= *min) &&
         (!max || static_cast<std::int64_t>(size) <= *max);
}

bool WithinRange(const Json& schema, double number) {
  const auto min = NumberAt(schema, "minimum");
  const auto max = NumberAt(schema, "maximum");
  const auto above = NumberAt(schema, "exclusiveMinimum");
  const auto below = NumberAt(schema, "exclusiveMaximum");
  return (!min || number >= *min) && (!max || number <= *max) && (!above || number > *above) &&
         (!below || number < *below);
}

// Everything that is said of the value itself, not of what is in it.
bool ScalarFits(const Json& schema, const Json& value) {
  const auto types = Types(schema);
  bool type_ok = types.empty();
  for (const auto& type : types) type_ok = type_ok || HasType(type, value);
  if (!type_ok) return false;
  if (const Json* options = Find(schema, "enum"); options != nullptr && !Contains(*options, value))
    return false;
  if (const Json* only = Find(schema, "const"); only != nullptr && *only != value) return false;
  if (value.is_number()) return WithinRange(schema, value.get<double>());
  if (value.is_string()) {
    return WithinLengths(schema, CodePoints(value.get_ref<const std::string&>()), "minLength", "maxLength");
  }
  return !value.is_array() || WithinLengths(schema, value.size(), "minItems", "maxItems");
}

void CheckAt(const Json& schema, const Json& value, const std::string& where, Problems& problems);

std::string UnknownName(const Json* properties, const std::string& key, const std::string& path) {
  std::vector<std::string> names;
  if (properties != nullptr) {
    for (const auto& [name, unused] : properties->items()) names.push_back(name);
  }
  std::string text = Place(path) + " is not known here";
  if (auto near = NearestWord(key, names)) text += "; did you mean `" + *near + "`?";
  if (names.empty()) return text + "; nothing is taken here";
  text += "; known:";
  for (const auto& name : names) text += " " + name;
  return text;
}

void CheckObject(const Json& schema, const Json& value, const std::string& where, Problems& problems) {
  const Json* properties = Find(schema, "properties");
  const auto prefix = where.empty() ? std::string() : where + ".";
  if (const Json* required = Find(schema, "required")) {
    for (const Json& name : *required) {
      if (!name.is_string() || value.contains(name.get_ref<const std::string&>())) continue;
      const auto& key = name.get_ref<const std::string&>();
      const Json* member = properties != nullptr ? Find(*properties, key) : nullptr;
      problems.push_back("`" + prefix + key + "` is missing" +
                         (member != nullptr ? ": send " + DescribeExpected(*member) : ""));
    }
  }
  const bool open = BoolAt(schema, "additionalProperties").value_or(true);
  for (const auto& [key, member] : value.items()) {
    const Json* rule = properties != nullptr ? Find(*properties, key) : nullptr;
    if (rule != nullptr) {
      CheckAt(*rule, member, prefix + key, problems);
    } else if (!open) {
      problems.push_back(UnknownName(properties, key, prefix + key));
    }
  }
}

void CheckAt(const Json& schema, const Json& value, const std::string& where, Problems& problems) {
  if (!ScalarFits(schema, value)) {
    problems.push_back(Place(where) + " must be " + DescribeExpected(schema) + ", but it is " + Shown(value) +
                       (BeyondExact(value) ? " (beyond 2^53 integers are not exact)" : ""));
    return;
  }
  if (value.is_object()) CheckObject(schema, value, where, problems);
  const Json* items = Find(schema, "items");
  if (value.is_array() && items != nullptr) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      CheckAt(*items, value[i], where + "[" + std::to_string(i) + "]", problems);
    }
  }
}

}  // namespace

std::vector<std::string> CheckValue(const Json& schema, const Json& value) {
  Problems problems;
  CheckAt(schema, value, "", problems);
  return problems;
}

}  // namespace helix::mcp
