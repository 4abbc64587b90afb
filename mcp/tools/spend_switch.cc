#include "mcp/tools/spend_switch.h"

#include <cmath>
#include <cstdlib>

#include "core/base/json_fields.h"
#include "mcp/tools/run_arguments.h"

namespace helix::mcp {

Json SpendCliProperties() {
  return {
      {"paid",
       {{"type", "boolean"},
        {"default", false},
        {"description", "Allow calls that cost money, up to --max-usd. Without it the run is a dry run."}}},
      {"max_usd",
       {{"type", "number"},
        {"minimum", 0},
        {"description", "What all paid calls of one UTC day may cost together, in dollars."}}},
      {"prices", TextSchema("Price file (helix.prices/1) whose rows come first.")}};
}

Result<tracks::SpendRequest> ReadSpendSwitch(const Json& arguments, const Settings& settings,
                                             const EnvReader& env) {
  tracks::SpendRequest out;
  if (!settings.from_agent) {
    out.paid = BoolAt(arguments, "paid").value_or(false);
    out.max_usd = NumberAt(arguments, "max_usd");
    out.prices_file = StringAt(arguments, "prices").value_or("");
    return out;
  }
  out.paid = env("HELIX_ALLOW_PAID") == "1";
  out.prices_file = env("HELIX_PRICES").value_or("");
  const auto limit = env("HELIX_MAX_USD");
  if (!limit) return out;
  char* end = nullptr;
  const double usd = std::strtod(limit->c_str(), &end);
  if (end == limit->c_str() || *end != '\0' || !std::isfinite(usd) || usd < 0)
    return Fail(ErrorCode::kInvalidArgument, "HELIX_MAX_USD is \"" + *limit + "\"",
                "an amount of dollars such as 2.50 in this server's environment, or leave it unset");
  out.max_usd = usd;
  return out;
}

}  // namespace helix::mcp
