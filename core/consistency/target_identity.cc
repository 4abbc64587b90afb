#include "core/consistency/target_identity.h"

#include <functional>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"

namespace helix::consistency {
namespace {

bool EndsWithV1(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url.size() >= 3 && url.compare(url.size() - 3, 3, "/v1") == 0;
}

std::optional<Json> DoubleV1(const Json& facts) {
  const std::string base =
      StringAt(facts, "base")
          .value_or(StringAt(facts, "base_url").value_or(StringAt(facts, "endpoint").value_or("")));
  const std::string path = StringAt(facts, "path").value_or("");
  const std::string url = StringAt(facts, "url").value_or(StringAt(facts, "request_url").value_or(""));
  const bool twice = (EndsWithV1(base) && (path == "/v1" || path.rfind("/v1/", 0) == 0)) ||
                     url.find("/v1/v1") != std::string::npos;
  if (!twice || IntAt(facts, "status").value_or(404) < 400) return std::nullopt;
  return FindingJson("BASE_URL_DOUBLE_V1",
                     "/v1 stands at the end of the base URL and at the start of the path", "",
                     Json{{"base", base}, {"path", path}});
}

bool Is405(const Json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() == 405;
}

bool NamesGet(std::string key) {
  for (char& c : key)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return key.find("get") != std::string::npos || key.find("health") != std::string::npos ||
         key.find("props") != std::string::npos || key.find("models") != std::string::npos;
}

// A GET that was answered with 405 (method not allowed), in any of the forms a probe is written down.
bool GetRefused(const Json& node, bool get) {
  if (Is405(node)) return get;
  if (node.is_array()) {
    for (const Json& item : node)
      if (GetRefused(item, get)) return true;
    return false;
  }
  if (!node.is_object()) return false;
  const auto method = StringAt(node, "method");
  const bool named = method && (*method == "GET" || *method == "get");
  const bool status =
      IntAt(node, "status") == 405 || IntAt(node, "http") == 405 || IntAt(node, "code") == 405;
  if (status && (named || (!method && get) || StringAt(node, "allow") == "POST")) return true;
  for (auto it = node.begin(); it != node.end(); ++it)
    if (GetRefused(it.value(), (get && !method) || named || NamesGet(it.key()))) return true;
  return false;
}

bool IsLlamaProps(const Json& node) {
  return node.is_object() && (Find(node, "total_slots") || Find(node, "default_generation_settings"));
}

bool AnyNode(const Json& node, const std::function<bool(const Json&)>& test) {
  if (test(node)) return true;
  if (!node.is_structured()) return false;
  for (const Json& inner : node)
    if (AnyNode(inner, test)) return true;
  return false;
}

// A health answer that says more than llama-server's {"status":"ok"}.
bool IsForeignHealth(const Json& node) {
  if (!node.is_object() || node.size() < 2) return false;
  const auto status = StringAt(node, "status");
  const bool up = status && (*status == "ok" || *status == "healthy" || *status == "up");
  return up && (Find(node, "providers") || Find(node, "service") || Find(node, "version") ||
                Find(node, "name") || Find(node, "uptime") || Find(node, "models"));
}

bool PropsMissing(const Json& facts) {
  for (const char* key : {"props", "GET /props", "props_status", "/props"}) {
    const Json* value = Find(facts, key);
    if (!value) continue;
    const auto status = value->is_object() ? IntAt(*value, "status") : IntAt(facts, key);
    if (status && *status >= 400) return true;
    if (value->is_object() && !value->empty() && !status && !IsLlamaProps(*value)) return true;
  }
  return false;
}

}  // namespace

std::optional<Json> DiagnoseTarget(const Json& facts) {
  if (auto found = DoubleV1(facts)) return found;
  if (GetRefused(facts, false))
    return FindingJson("TARGET_IS_POST_ONLY_PROXY",
                       "GET is answered with 405, so the target is no llama-server", "");
  if (AnyNode(facts, IsLlamaProps)) return std::nullopt;
  if (AnyNode(facts, IsForeignHealth) || PropsMissing(facts))
    return FindingJson("TARGET_NOT_LLAMA_SERVER",
                       "the health answer is not llama-server's, and nothing else identifies one", "",
                       Json{{"skip_code", "topology_unsupported"}});
  return std::nullopt;
}

}  // namespace helix::consistency
