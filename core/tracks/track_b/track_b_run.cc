#include "core/tracks/track_b/track_b_run.h"

#include <condition_variable>
#include <mutex>

#include "core/base/clock.h"

namespace helix::tracks {
namespace {

// A failed call is billed as if it had used all that was reserved: nothing says that it did not.
cost::Money Billed(const TrackBCall& call, cost::Money reserved) {
  bool known = call.cost && call.cost->kind != cost::Cost::Kind::kUnknown;
  return call.reply.ok && known ? call.cost->total : reserved;
}

std::optional<cost::PriceRow> RowFor(const Spending& spending, const std::string& model,
                                     std::int64_t in_total) {
  return spending.prices.Find(spending.route, model, UtcTimestamp(), in_total);
}

void AddCost(const Spending& spending, TrackBCall& call) {
  const auto& usage = call.reply.reply.usage;
  auto row = RowFor(spending, call.planned.request.model,
                    usage.in_total.present() ? usage.in_total.value().count : 0);
  if (!row) return;
  call.cost = cost::CostOf(usage, *row);
  call.cost_without_cache = cost::CostWithoutCache(usage, *row);
}

void Pause(int ms, const RunContext& context) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, context.stop, std::chrono::milliseconds(ms), [] { return false; });
}

Result<cost::Reservation> ReserveFor(const PlannedCall& call, const TrackBOptions& options,
                                     const Spending& spending) {
  auto row = RowFor(spending, call.request.model, 0);
  auto most = row ? MostPerCall(call, options, *row) : std::nullopt;
  if (!most)
    return Fail(ErrorCode::kRefused, "the price of " + call.request.model + " is unknown",
                "give --prices FILE");
  return spending.ledger->Reserve(*most);
}

}  // namespace

Result<TrackBRun> RunCalls(const std::vector<PlannedCall>& plan, const TrackBOptions& options, int settle_ms,
                           backend::HostedClient& client, const Spending* spending,
                           const RunContext& context) {
  TrackBRun run;
  for (const auto& planned : plan) {
    if (context.Cancelled()) return Fail(ErrorCode::kCancelled, "the run was stopped");
    context.Report(double(run.calls.size()), double(plan.size()), ArmName(planned.arm));
    std::optional<cost::Reservation> reservation;
    if (spending != nullptr) {
      auto reserved = ReserveFor(planned, options, *spending);
      if (!reserved) {
        run.stopped = reserved.error().Text();
        return run;
      }
      reservation = *reserved;
    }
    auto reply = client.Send(planned.request, context);
    if (!reply) return tl::make_unexpected(reply.error());
    TrackBCall call{planned, std::move(*reply), std::nullopt, std::nullopt};
    if (spending != nullptr) {
      AddCost(*spending, call);
      HELIX_TRY(spending->ledger->Settle(*reservation, Billed(call, reservation->amount)));
    }
    run.calls.push_back(std::move(call));
    if (settle_ms > 0 && planned.arm != PlannedCall::Arm::kCold) Pause(settle_ms, context);
  }
  return run;
}

}  // namespace helix::tracks
