#include "core/tracks/workload/session.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/experiment/workload.h"

namespace helix::tracks {
namespace {

using consistency::CommonTokens;

constexpr int kWipeTokens = 8;

template <typename T>
Json ValueOf(const Measured<T>& value) {
  return value.present() ? Json(value.value()) : Json(nullptr);
}

consistency::ReuseRule RuleOf(const backend::Identity& identity) {
  auto rule = consistency::ReuseRuleFor(identity.kind);
  return rule ? *rule : consistency::ReuseRule::kBlocks;
}

}  // namespace

PredictedServer::PredictedServer(Target& target, Reopen reopen, const RunContext& context)
    : target_(target), reopen_(std::move(reopen)), context_(context) {
  const int block = target.backend->capabilities().block_size;
  slots_.assign(static_cast<std::size_t>(std::max(target.identity.slots, 1)),
                consistency::SlotModel(RuleOf(target.identity), block));
}

Status PredictedServer::Wipe() {
  ++wipes_;
  SplitMix64 random(wipes_ ^ static_cast<std::uint64_t>(SteadyNowNs()));
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    auto ids = target_.backend->Tokenize(std::to_string(random.Next()) + " wipe", true, context_);
    if (!ids) return tl::make_unexpected(ids.error());
    if (ids->size() > kWipeTokens) ids->resize(kWipeTokens);
    backend::GenerateRequest request;
    request.prompt = std::move(*ids);
    request.use_cache = false;
    auto sent = Send(std::move(request), static_cast<int>(slot));
    if (!sent) return tl::make_unexpected(sent.error());
  }
  return {};
}

Status PredictedServer::Restart() {
  if (!reopen_) return Fail(ErrorCode::kUnavailable, "the server is not ours to restart");
  target_.backend.reset();
  target_.lifetime.reset();
  auto opened = reopen_();
  if (!opened) return tl::make_unexpected(opened.error());
  target_ = std::move(*opened);
  for (auto& slot : slots_) slot.Flush();
  seen_.clear();
  fresh_ = true;
  return {};
}

consistency::ReusePrediction PredictedServer::Predict(const backend::GenerateRequest& request) const {
  if (!request.use_cache) return {0, 0, 0, target_.backend->capabilities().block_size};
  auto predicted = slots_[static_cast<std::size_t>(request.slot)].Predict(request.prompt);
  if (!target_.flags.is_null()) return predicted;
  // A server that another hand started may hold what a slot has lost (--cache-ram): anything sent to it so
  // far.
  const auto most = static_cast<std::int64_t>(request.prompt.size()) - 1;
  for (const auto& seen : seen_) {
    const std::int64_t common = CommonTokens(seen, request.prompt);
    predicted.possible = std::max(predicted.possible, common);
    predicted.high = std::max(predicted.high, std::min(common, most) / predicted.block * predicted.block);
  }
  return predicted;
}

Result<ObservedCall> PredictedServer::Send(backend::GenerateRequest request, int session) {
  request.slot = session % static_cast<int>(slots_.size());
  ObservedCall call;
  call.prompt_tokens = static_cast<std::int64_t>(request.prompt.size());
  call.predicted = Predict(request);
  auto reply = target_.backend->Generate(request, context_);
  if (!reply) return tl::make_unexpected(reply.error());
  call.reply = std::move(*reply);
  const bool empty = fresh_ || !request.use_cache;
  call.verdict = consistency::JudgeReuse(call.predicted, call.reply.cached_tokens.optional(), empty);
  fresh_ = false;
  auto& slot = slots_[static_cast<std::size_t>(request.slot)];
  slot.Complete(request.prompt, call.reply.tokens);
  auto resident = request.prompt;
  if (!call.reply.tokens.empty())
    resident.insert(resident.end(), call.reply.tokens.begin(), call.reply.tokens.end() - 1);
  seen_.push_back(std::move(resident));
  return call;
}

Json RowOf(const ObservedCall& call) {
  Json row{{"prompt", call.prompt_tokens}};
  row["predicted"] = call.predicted.exact() ? Json(call.predicted.low)
                                            : Json::array({call.predicted.low, call.predicted.high});
  row["reported"] = ValueOf(call.reply.cached_tokens);
  row["verdict"] = consistency::ReuseVerdictName(call.verdict);
  row["processed"] = ValueOf(call.reply.processed_tokens);
  row["output"] = ValueOf(call.reply.output_tokens);
  row["prefill_ms"] = ValueOf(call.reply.prefill_ms);
  row["total_ms"] = static_cast<double>(call.reply.total_ns) / 1e6;
  return row;
}

}  // namespace helix::tracks
