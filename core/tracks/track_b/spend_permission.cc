#include "core/tracks/track_b/spend_permission.h"

#include "core/base/clock.h"

namespace helix::tracks {
namespace {

std::string RouteOf(const TrackBTarget& target) {
  return target.profile != nullptr ? std::string(target.profile->name) : target.client.provider;
}

// The most all planned calls could cost; nullopt without a price.
std::optional<cost::Money> MostOfAll(const std::vector<PlannedCall>& plan, const TrackBOptions& options,
                                     const cost::PriceTable& prices, const std::string& route) {
  cost::Money sum;
  for (const auto& call : plan) {
    auto row = prices.Find(route, call.request.model, UtcTimestamp(), MostPromptTokens(call, options));
    auto most = row ? MostPerCall(call, options, *row) : std::nullopt;
    if (!most) return std::nullopt;
    sum += *most;
  }
  return sum;
}

Skip NoPrice(const TrackBTarget& target, const std::string& route) {
  return MakeSkip("spend_not_allowed",
                  "price: unknown for " + target.model + " at " + (route.empty() ? "this endpoint" : route),
                  "name its price with --prices FILE (and its route with --provider); a call of unknown "
                  "price is never made");
}

Skip NotAllowed(const TrackBTarget& target, cost::Money most, std::size_t calls) {
  const std::string estimate =
      "at most $" + cost::ToText(most) + " for " + std::to_string(calls) + " calls of " + target.model;
  return MakeSkip("spend_not_allowed", "dry run, nothing was called; the estimate is " + estimate,
                  "run it with --paid and --max-usd above that");
}

}  // namespace

Result<std::variant<SpendPermission, Skip>> PermitSpending(const SpendRequest& request,
                                                           const TrackBTarget& target,
                                                           const std::vector<PlannedCall>& plan,
                                                           const TrackBOptions& options,
                                                           const Settings& settings) {
  using Answer = std::variant<SpendPermission, Skip>;
  auto prices = cost::LoadPrices(request.prices_file);
  if (!prices) return tl::make_unexpected(prices.error());
  const std::string route = RouteOf(target);
  auto most = MostOfAll(plan, options, *prices, route);
  if (!most) return Answer(NoPrice(target, route));
  if (!request.paid || !request.max_usd) return Answer(NotAllowed(target, *most, plan.size()));
  SpendPermission out;
  out.ledger =
      std::make_unique<cost::SpendLedger>(settings.report_dir + "/spend-ledger.jsonl",
                                          cost::FromUsd(*request.max_usd), UtcTimestamp().substr(0, 10));
  out.spending = {out.ledger.get(), std::move(*prices), route};
  return Answer(std::move(out));
}

}  // namespace helix::tracks
