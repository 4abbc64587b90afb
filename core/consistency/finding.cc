#include "core/consistency/finding.h"

#include <cmath>
#include <cstdio>

#include "core/base/json_fields.h"
#include "core/consistency/advice_table.h"

namespace helix::consistency {

Json FindingJson(const std::string& verdict, const std::string& fact, const std::string& backend,
                 const Json& numbers) {
  Json out{{"verdict", verdict}, {"fact", fact}, {"advice", AdviceJson(verdict, backend)}};
  for (auto it = numbers.begin(); it != numbers.end(); ++it) out[it.key()] = it.value();
  return out;
}

Json Unconfirmed(const std::string& fact, const Json& numbers) {
  return FindingJson("UNCONFIRMED", fact, "", numbers);
}

std::optional<double> FirstNumber(const Json& object, const std::vector<std::string_view>& paths) {
  for (std::string_view path : paths)
    if (auto value = NumberAt(object, path)) return value;
  return std::nullopt;
}

std::optional<bool> FirstBool(const Json& object, const std::vector<std::string_view>& paths) {
  for (std::string_view path : paths)
    if (auto value = BoolAt(object, path)) return value;
  return std::nullopt;
}

std::string NumberText(double value) {
  char buffer[48];
  const bool whole = std::fabs(value) < 1e15 && value == std::floor(value);
  std::snprintf(buffer, sizeof buffer, whole ? "%.0f" : "%.4g", value);
  return buffer;
}

}  // namespace helix::consistency
