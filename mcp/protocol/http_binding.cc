#include "mcp/protocol/http_binding.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "core/base/json_fields.h"
#include "mcp/protocol/request_meta.h"

namespace helix::mcp {
namespace {

using Check = RpcResult<void>;

Check Mismatch(const std::string& what) {
  return tl::make_unexpected(RpcError{kHeaderMismatch, "header mismatch: " + what, nullptr});
}

int Sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool DecodeBase64(std::string_view text, std::string& out) {
  if (text.size() % 4 != 0) return false;
  while (!text.empty() && text.back() == '=' && text.size() % 4 != 2) text.remove_suffix(1);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    const int six = Sextet(c);
    if (six < 0) return false;
    bits = (bits << 6) | static_cast<std::uint32_t>(six);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out.push_back(static_cast<char>((bits >> have) & 0xFF));
  }
  return true;
}

// The member of params that Mcp-Name mirrors, if the method has one.
const char* NamedBy(const std::string& method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  const bool task = method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel";
  return task ? "taskId" : nullptr;
}

Check MustEqual(const Headers& headers, std::string_view name, const std::string& expected) {
  const auto* value = FindHeader(headers, name);
  if (value == nullptr) return Mismatch(std::string(name) + " is missing, expected \"" + expected + "\"");
  std::string decoded;
  if (!DecodeHeaderValue(*value, decoded) || decoded != expected) {
    return Mismatch(std::string(name) + " must be \"" + expected + "\" as in the body");
  }
  return {};
}

bool SameScalar(const Json& argument, const std::string& header) {
  if (argument.is_string()) return argument.get_ref<const std::string&>() == header;
  if (argument.is_boolean()) return header == (argument.get<bool>() ? "true" : "false");
  if (!argument.is_number()) return false;
  double number = 0;
  const auto [end, problem] = std::from_chars(header.data(), header.data() + header.size(), number);
  return problem == std::errc() && end == header.data() + header.size() && number == argument.get<double>();
}

std::string Lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

// Arguments that the schema mirrors into headers (x-mcp-header), at any depth reachable through properties.
Check CheckMirrored(const Headers& headers, const Json& schema, const Json* arguments) {
  const Json* properties = Find(schema, "properties");
  if (properties == nullptr) return {};
  for (const auto& [name, rule] : properties->items()) {
    const Json* argument = arguments != nullptr ? Find(*arguments, name) : nullptr;
    if (auto inner = CheckMirrored(headers, rule, argument); !inner) return inner;
    const auto mirror = StringAt(rule, "x-mcp-header");
    if (!mirror) continue;
    const auto* header = FindHeader(headers, "mcp-param-" + Lower(*mirror));
    const bool given = argument != nullptr && !argument->is_null();
    if (header == nullptr && !given) continue;
    std::string decoded;
    const bool same =
        header != nullptr && given && DecodeHeaderValue(*header, decoded) && SameScalar(*argument, decoded);
    if (!same) return Mismatch("Mcp-Param-" + *mirror + " must carry the argument `" + name + "`");
  }
  return {};
}

Check CheckModern(const Headers& headers, const Message& message, const Catalog& catalog,
                  const std::string& version) {
  if (auto same = MustEqual(headers, "mcp-protocol-version", version); !same) return same;
  if (version != kModernVersion) return {};  // ReadMeta refuses it with the list of what there is
  if (auto same = MustEqual(headers, "mcp-method", message.method); !same) return same;
  const Json& params = message.Params();
  if (const char* member = NamedBy(message.method)) {
    if (const auto name = StringAt(params, member)) {
      if (auto same = MustEqual(headers, "mcp-name", *name); !same) return same;
    }
  }
  if (message.method != "tools/call") return {};
  const auto* tool = catalog.FindTool(StringAt(params, "name").value_or(""));
  const Json* schema = tool != nullptr ? Find(tool->listing, "inputSchema") : nullptr;
  return schema != nullptr ? CheckMirrored(headers, *schema, Find(params, "arguments")) : Check{};
}

}  // namespace

const std::string* FindHeader(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return &value;
  }
  return nullptr;
}

bool DecodeHeaderValue(std::string_view value, std::string& decoded) {
  constexpr std::string_view kOpen = "=?base64?";
  constexpr std::string_view kClose = "?=";
  const bool marked = value.size() >= kOpen.size() + kClose.size() &&
                      value.substr(0, kOpen.size()) == kOpen &&
                      value.substr(value.size() - kClose.size()) == kClose;
  decoded.clear();
  if (!marked) {
    decoded = value;
    return true;
  }
  value.remove_prefix(kOpen.size());
  value.remove_suffix(kClose.size());
  return DecodeBase64(value, decoded);
}

RpcResult<void> CheckHeaders(const Headers& headers, const Message& message, const Catalog& catalog) {
  const auto body_version = ModernVersion(message.Params());
  if (body_version) return CheckModern(headers, message, catalog, *body_version);
  const auto* header = FindHeader(headers, "mcp-protocol-version");
  if (header == nullptr || IsLegacyVersion(*header) || message.method == "initialize") return {};
  if (*header == kModernVersion) {
    if (message.kind != MessageKind::kRequest) return {};
    return tl::make_unexpected(
        RpcError{kInvalidParams, "a request of " + *header + " carries _meta with " + kVersionKey, nullptr});
  }
  return tl::make_unexpected(UnsupportedVersion(*header));
}

}  // namespace helix::mcp
