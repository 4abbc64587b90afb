#include "core/experiment/traffic_watch.h"

#include "core/base/clock.h"
#include "core/base/json_fields.h"

namespace helix::experiment {
namespace {

// Longer than a server takes to free a slot after its last byte.
constexpr double kSettledMs = 50;

using Count = std::optional<std::int64_t>;

// What a total moved beyond `own`; nullopt when one of the numbers is not there.
Count Excess(const Count& before, const Count& after, const Count& own) {
  if (!before || !after || !own) return std::nullopt;
  return *after - *before - *own;
}

}  // namespace

TrafficWatch::TrafficWatch(backend::Backend& backend, const RunContext& context) : backend_(backend) {
  Restart(context);
}

void TrafficWatch::Restart(const RunContext& context) {
  auto totals = backend_.Work(context);
  totals_ = totals ? std::optional(*totals) : std::nullopt;
}

const char* TrafficWatch::source() const {
  if (totals_) return "metrics";
  return backend_.capabilities().slots ? "slots" : "none";
}

Status TrafficWatch::Settle(Millis timeout, const RunContext& context) {
  waited_ms_.reset();
  if (totals_ || !backend_.capabilities().slots) return {};
  const std::int64_t start = SteadyNowNs();
  HELIX_TRY(backend_.WaitIdle(timeout, context));
  const double waited = static_cast<double>(SteadyNowNs() - start) / 1e6;
  if (waited > kSettledMs) waited_ms_ = waited;
  return {};
}

Json TrafficWatch::Beyond(const backend::GenerateReply& reply, const RunContext& context) {
  if (waited_ms_) return {{"waited_ms", *waited_ms_}};
  if (!totals_) return nullptr;
  const auto now = backend_.Work(context);
  if (!now) return nullptr;
  const Count processed = Excess(totals_->processed, now->processed, reply.processed_tokens.optional());
  const Count cached = Excess(totals_->cached, now->cached, reply.cached_tokens.optional());
  const Count predicted = Excess(totals_->predicted, now->predicted, reply.output_tokens.optional());
  totals_ = *now;
  if (processed.value_or(0) == 0 && cached.value_or(0) == 0 && predicted.value_or(0) == 0) return nullptr;
  return {{"processed", OrNull(processed)}, {"cached", OrNull(cached)}, {"predicted", OrNull(predicted)}};
}

}  // namespace helix::experiment
