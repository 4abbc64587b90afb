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
  if (usage.in_total.present() && !CountsPrompt(call.reply)) return;
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

// nullopt where the price is $0 and known: nothing to reserve.
Result<std::optional<cost::Reservation>> ReserveFor(const PlannedCall& call, const TrackBOptions& options,
                                                    const Spending& spending) {
  auto row = RowFor(spending, call.request.model, MostPromptTokens(call, options));
  auto most = row ? MostPerCall(call, options, *row) : std::nullopt;
  if (!most)
    return Fail(ErrorCode::kRefused, "the price of " + call.request.model + " is unknown",
                "give --prices FILE");
  if (most->count == 0) return std::nullopt;
  auto reserved = spending.ledger->Reserve(*most);
  if (!reserved) return tl::make_unexpected(reserved.error());
  return std::optional(*reserved);
}

constexpr int kFailuresInARow = 3;

// Why nothing more may be sent after this call; empty when the next one may.
std::string ReasonToStop(const TrackBCall& call, int failures_in_a_row) {
  const auto& reply = call.reply;
  if (reply.ok) return {};
  for (const char* final : {"authentication", "billing", "spend_cap", "refused"}) {
    if (reply.failure == final)
      return "the provider refused a call (" + reply.failure + ", status " + std::to_string(reply.status) +
             "): " + reply.message;
  }
  if (failures_in_a_row < kFailuresInARow) return {};
  return "three calls in a row failed, the last with " + reply.failure +
         (reply.message.empty() ? "" : ": " + reply.message);
}

}  // namespace

bool CountsPrompt(const backend::HostedReply& reply) {
  const auto& total = reply.reply.usage.in_total;
  return total.present() && total.value().count > 0;
}

Result<TrackBRun> RunCalls(const std::vector<PlannedCall>& plan, const TrackBOptions& options, int settle_ms,
                           backend::HostedClient& client, const Spending* spending,
                           const RunContext& context) {
  TrackBRun run;
  int failures = 0;
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
      reservation = std::move(*reserved);
    }
    auto reply = client.Send(planned.request, context);
    if (!reply) return tl::make_unexpected(reply.error());
    TrackBCall call{planned, std::move(*reply), std::nullopt, std::nullopt, {}, {}};
    if (spending != nullptr) {
      AddCost(*spending, call);
      if (reservation) HELIX_TRY(spending->ledger->Settle(*reservation, Billed(call, reservation->amount)));
    }
    failures = call.reply.ok ? 0 : failures + 1;
    run.stopped = ReasonToStop(call, failures);
    run.calls.push_back(std::move(call));
    if (!run.stopped.empty()) return run;
    if (settle_ms > 0 && planned.arm != PlannedCall::Arm::kCold) Pause(settle_ms, context);
  }
  return run;
}

}  // namespace helix::tracks
