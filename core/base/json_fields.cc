#include "core/base/json_fields.h"

#include <cmath>

namespace helix {

const Json* Find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  auto it = object.find(std::string(key));
  return it == object.end() ? nullptr : &*it;
}

const Json* FindPath(const Json& object, std::string_view path) {
  const Json* at = &object;
  while (at != nullptr) {
    auto slash = path.find('/');
    at = Find(*at, path.substr(0, slash));
    if (slash == std::string_view::npos) return at;
    path.remove_prefix(slash + 1);
  }
  return nullptr;
}

std::optional<std::int64_t> IntAt(const Json& object, std::string_view path) {
  const Json* v = FindPath(object, path);
  if (v == nullptr) return std::nullopt;
  if (v->is_number_unsigned()) {
    auto u = v->get<std::uint64_t>();
    if (u > std::uint64_t{INT64_MAX}) return std::nullopt;
    return static_cast<std::int64_t>(u);
  }
  if (v->is_number_integer()) return v->get<std::int64_t>();
  if (v->is_number_float()) {
    double d = v->get<double>();
    if (std::trunc(d) == d && std::fabs(d) <= 9007199254740992.0) return static_cast<std::int64_t>(d);
  }
  return std::nullopt;
}

std::optional<double> NumberAt(const Json& object, std::string_view path) {
  const Json* v = FindPath(object, path);
  if (v == nullptr || !v->is_number()) return std::nullopt;
  return v->get<double>();
}

std::optional<std::string> StringAt(const Json& object, std::string_view path) {
  const Json* v = FindPath(object, path);
  if (v == nullptr || !v->is_string()) return std::nullopt;
  return v->get<std::string>();
}

std::optional<bool> BoolAt(const Json& object, std::string_view path) {
  const Json* v = FindPath(object, path);
  if (v == nullptr || !v->is_boolean()) return std::nullopt;
  return v->get<bool>();
}

}  // namespace helix
