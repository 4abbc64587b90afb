#include "core/tracks/track_b/track_b.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/tracks/track_b/managed_target.h"
#include "core/tracks/track_b/track_b_result.h"
#include "core/tracks/track_b/track_b_run.h"

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
    auto row = prices.Find(route, call.request.model, UtcTimestamp(), options.prefix_tokens);
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

Result<Json> Finish(const Result<TrackBRun>& run, const TrackBOptions& options, const TrackBTarget& target) {
  if (!run) return tl::make_unexpected(run.error());
  return TrackBResult(*run, options, target);
}

// Tokens of a call beside the prefix: questions, turns, template; by the plan's own sizes.
int BesidePrefix(const TrackBOptions& options) {
  constexpr int kPerTurn = 220;
  constexpr int kTemplateAndQuestion = 320;
  return options.turns * kPerTurn + options.output_tokens + kTemplateAndQuestion;
}

TrackBOptions OptionsFor(const TrackBRequest& request, TrackBTarget& target) {
  TrackBOptions options = request.options;
  options.model = target.model;
  if (target.chars_per_token) options.chars_per_token = *target.chars_per_token;
  options.prime_each_warm = target.free;
  if (!target.context_tokens) return options;
  const int room =
      static_cast<int>(std::min<std::int64_t>(*target.context_tokens, 1 << 24)) - BesidePrefix(options);
  if (room >= options.prefix_tokens) return options;
  options.prefix_tokens = std::max(room, 64);
  target.notices.push_back("The prefix was shortened to " + std::to_string(options.prefix_tokens) +
                           " tokens: a slot of this server holds " + std::to_string(*target.context_tokens) +
                           ".");
  return options;
}

Result<Json> RunPaid(const TrackBRequest& request, TrackBTarget& target, const Settings& settings,
                     const RunContext& context) {
  auto prices = cost::LoadPrices(request.prices_file);
  if (!prices) return tl::make_unexpected(prices.error());
  const TrackBOptions options = OptionsFor(request, target);
  const auto plan = PlanCalls(options);
  const std::string route = RouteOf(target);
  auto most = MostOfAll(plan, options, *prices, route);
  if (!most) return NoPrice(target, route).ToJson();
  if (!request.paid || !request.max_usd) return NotAllowed(target, *most, plan.size()).ToJson();
  cost::SpendLedger ledger(settings.report_dir + "/spend-ledger.jsonl", cost::FromUsd(*request.max_usd),
                           UtcTimestamp().substr(0, 10));
  Spending spending{&ledger, *prices, route};
  backend::HostedClient client(target.client);
  int settle_ms = target.profile != nullptr ? target.profile->settle_ms : 0;
  return Finish(RunCalls(plan, options, settle_ms, client, &spending, context), options, target);
}

}  // namespace

Result<Json> RunTrackB(const TrackBRequest& request, const Settings& settings, const EnvReader& env,
                       const RunContext& context) {
  if (request.managed) {
    auto started = StartManagedTarget(request.options, settings, env, context);
    if (!started) return tl::make_unexpected(started.error());
    if (const auto* skip = std::get_if<Skip>(&*started)) return skip->ToJson();
    TrackBRequest local = request;
    local.managed = false;
    local.target.endpoint = std::get<backend::ManagedLlamaServer>(*started).base_url();
    return RunTrackB(local, settings, env, context);
  }
  auto found = FindTrackBTarget(request.target, settings, env, context);
  if (!found) return tl::make_unexpected(found.error());
  if (const auto* skip = std::get_if<Skip>(&*found)) return skip->ToJson();
  auto& target = std::get<TrackBTarget>(*found);
  if (!target.free) return RunPaid(request, target, settings, context);
  const TrackBOptions options = OptionsFor(request, target);
  backend::HostedClient client(target.client);
  return Finish(RunCalls(PlanCalls(options), options, 0, client, nullptr, context), options, target);
}

}  // namespace helix::tracks
