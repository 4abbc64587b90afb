#include "core/tracks/workload/replay.h"

#include <algorithm>

#include "core/analysis/paired_ratio.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/consistency/request_body.h"
#include "core/consistency/template_server.h"
#include "core/experiment/workload.h"

namespace helix::tracks {
namespace {

using consistency::ReuseVerdict;

struct TurnTimes {
  std::vector<double> off_prefill, on_prefill, off_total, on_total;
  std::optional<ObservedCall> last_on;
  bool agreed = true;             // every loop's verdict was MATCH
  bool unknown = false;           // one could not be told
  bool cold = true;               // no call of an off loop reused anything
  std::string verdict = "MATCH";  // the first that is none
};

struct LoopTimes {
  double prefill = 0, total = 0;
  bool prefill_known = true;
  std::int64_t processed = 0;
  bool processed_known = true;

  void Add(const backend::GenerateReply& reply) {
    prefill_known = prefill_known && reply.prefill_ms.present();
    if (reply.prefill_ms.present()) prefill += reply.prefill_ms.value();
    processed_known = processed_known && reply.processed_tokens.present();
    if (reply.processed_tokens.present()) processed += reply.processed_tokens.value();
    total += static_cast<double>(reply.total_ns) / 1e6;
  }
};

int OutputOf(const consistency::CapturedExchange& exchange, int most) {
  const auto reply = consistency::ReplyOf(exchange);
  const auto recorded = reply ? usage::CountOf(reply->usage.out_total) : std::nullopt;
  return static_cast<int>(std::clamp<std::int64_t>(recorded.value_or(most), 1, most));
}

class Replay {
 public:
  Replay(PredictedServer& server, const ReplayPlan& plan, const RunContext& context)
      : server_(server), plan_(plan), context_(context), turns_(plan.turns.size()) {}

  Status Loop(bool use_cache) {
    HELIX_TRY(server_.Wipe());
    LoopTimes times;
    for (std::size_t i = 0; i < plan_.turns.size(); ++i) {
      if (context_.Cancelled()) return Fail(ErrorCode::kCancelled, "the replay was cancelled");
      backend::GenerateRequest request;
      request.prompt = plan_.turns[i].prompt;
      request.output_tokens = plan_.turns[i].output_tokens;
      request.use_cache = use_cache;
      auto call = server_.Send(std::move(request), 0);
      if (!call) return tl::make_unexpected(call.error());
      times.Add(call->reply);
      use_cache ? KeepOn(turns_[i], std::move(*call)) : KeepOff(turns_[i], *call);
    }
    (use_cache ? on_ : off_).push_back(times);
    return {};
  }

  [[nodiscard]] const std::vector<TurnTimes>& turns() const { return turns_; }
  [[nodiscard]] const std::vector<LoopTimes>& on() const { return on_; }
  [[nodiscard]] const std::vector<LoopTimes>& off() const { return off_; }

 private:
  static void KeepOn(TurnTimes& turn, ObservedCall call) {
    if (call.reply.prefill_ms.present()) turn.on_prefill.push_back(call.reply.prefill_ms.value());
    turn.on_total.push_back(static_cast<double>(call.reply.total_ns) / 1e6);
    turn.unknown = turn.unknown || call.verdict == ReuseVerdict::kUnknown;
    if (call.verdict != ReuseVerdict::kMatch && turn.agreed) {
      turn.agreed = false;
      turn.verdict = consistency::ReuseVerdictName(call.verdict);
    }
    turn.last_on = std::move(call);
  }
  static void KeepOff(TurnTimes& turn, const ObservedCall& call) {
    if (call.reply.prefill_ms.present()) turn.off_prefill.push_back(call.reply.prefill_ms.value());
    turn.off_total.push_back(static_cast<double>(call.reply.total_ns) / 1e6);
    turn.cold = turn.cold && call.reply.cached_tokens.optional() == 0;
  }

  PredictedServer& server_;
  const ReplayPlan& plan_;
  const RunContext& context_;
  std::vector<TurnTimes> turns_;
  std::vector<LoopTimes> on_, off_;
};

Json MedianOrNull(const std::vector<double>& values) {
  const auto median = analysis::Median(values);
  return median ? Json(*median) : Json(nullptr);
}

Json RatioOrNull(const std::vector<double>& off, const std::vector<double>& on) {
  const auto ratio = analysis::PairedRatioOf(off, on);
  return ratio ? ratio->ratio.ToJson() : Json(nullptr);
}

Json TurnJson(const ReplayTurn& turn, const TurnTimes& times) {
  Json row{{"exchange", turn.exchange},
           {"prompt_sha256", experiment::TokensSha256(turn.prompt)},
           {"prompt", turn.prompt.size()},
           {"output", turn.output_tokens}};
  row["expected"] = row["reported"] = nullptr;
  if (times.last_on) {
    const Json seen = RowOf(*times.last_on);
    row["expected"] = seen["predicted"];
    row["reported"] = seen["reported"];
  }
  row["verdict"] = times.verdict;
  row["off_cold"] = times.cold;
  row["off_prefill_ms"] = MedianOrNull(times.off_prefill);
  row["on_prefill_ms"] = MedianOrNull(times.on_prefill);
  row["off_total_ms"] = MedianOrNull(times.off_total);
  row["on_total_ms"] = MedianOrNull(times.on_total);
  row["prefill_ratio"] = RatioOrNull(times.off_prefill, times.on_prefill);
  return row;
}

template <typename Field>
std::vector<double> Each(const std::vector<LoopTimes>& loops, Field field) {
  std::vector<double> values;
  for (const LoopTimes& loop : loops) values.push_back(field(loop));
  return values;
}

Json LoopJson(const Replay& replay) {
  const auto prefill = [](const LoopTimes& loop) { return loop.prefill; };
  const auto total = [](const LoopTimes& loop) { return loop.total; };
  const bool known =
      std::all_of(replay.on().begin(), replay.on().end(), [](auto& l) { return l.prefill_known; }) &&
      std::all_of(replay.off().begin(), replay.off().end(), [](auto& l) { return l.prefill_known; });
  Json loop{{"loops", replay.on().size()}};
  loop["off_total_ms"] = MedianOrNull(Each(replay.off(), total));
  loop["on_total_ms"] = MedianOrNull(Each(replay.on(), total));
  loop["end_to_end_ratio"] = RatioOrNull(Each(replay.off(), total), Each(replay.on(), total));
  loop["off_prefill_ms"] = known ? MedianOrNull(Each(replay.off(), prefill)) : Json(nullptr);
  loop["on_prefill_ms"] = known ? MedianOrNull(Each(replay.on(), prefill)) : Json(nullptr);
  loop["prefill_ratio"] =
      known ? RatioOrNull(Each(replay.off(), prefill), Each(replay.on(), prefill)) : Json(nullptr);
  const auto processed = [](const LoopTimes& one) {
    return one.processed_known ? Json(one.processed) : Json(nullptr);
  };
  loop["off_processed_tokens"] = processed(replay.off().back());
  loop["on_processed_tokens"] = processed(replay.on().back());
  return loop;
}

void Judge(const Replay& replay, Json& result) {
  std::size_t off_warm = 0, wrong = 0, unknown = 0;
  for (const TurnTimes& turn : replay.turns()) {
    off_warm += turn.cold ? 0 : 1;
    unknown += turn.unknown ? 1 : 0;
    wrong += !turn.agreed && !turn.unknown ? 1 : 0;
  }
  const auto low = NumberAt(result, "loop/end_to_end_ratio/ci_low");
  result["verdict"] = off_warm + wrong > 0               ? "FAIL"
                      : unknown > 0 || !low || *low <= 1 ? "INCONCLUSIVE"
                                                         : "PASS";
  if (off_warm > 0) {
    result["reason"] = std::to_string(off_warm) + " turns reused tokens with the cache off, or did not say";
  } else if (wrong > 0) {
    result["reason"] = std::to_string(wrong) + " turns reused something else than predicted";
  } else if (unknown > 0) {
    result["reason"] = std::to_string(unknown) + " turns cannot be told from the server's report";
  } else if (!low) {
    result["reason"] = "fewer than 6 loops give no interval";
  } else {
    result["reason"] = *low > 1
                           ? "every turn reused what was predicted, and the loop is faster with the cache"
                           : "every turn reused what was predicted; the loop's interval holds 1";
  }
}

}  // namespace

Result<ReplayPlan> PlanReplay(const std::vector<consistency::CapturedExchange>& exchanges,
                              const std::string& base_url, const std::string& api_key,
                              const ReplayOptions& options, const RunContext& context) {
  consistency::TemplateServer server(base_url, api_key, context);
  ReplayPlan plan;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    if (context.Cancelled()) return Fail(ErrorCode::kCancelled, "stopped while reading the capture");
    const std::string which = "exchange " + std::to_string(i);
    auto request = consistency::ReadRequestBody(exchanges[i].request);
    if (!request || exchanges[i].path.find("count_tokens") != std::string::npos) {
      plan.notes.push_back(which + " (" + exchanges[i].path + ") asks for no answer");
      continue;
    }
    auto prompt = server.PromptTokens(*request, plan.notes);
    if (!prompt && prompt.error().code != ErrorCode::kProtocol) return tl::make_unexpected(prompt.error());
    if (!prompt || prompt->empty()) {
      plan.notes.push_back(which + ": " + (prompt ? "an empty prompt" : prompt.error().message));
      continue;
    }
    const int output = OutputOf(exchanges[i], options.most_output_tokens);
    plan.longest = std::max(plan.longest, static_cast<std::int64_t>(prompt->size()) + output);
    plan.turns.push_back({i, std::move(*prompt), output});
  }
  if (plan.turns.empty())
    return Fail(ErrorCode::kInvalidArgument, "the capture holds no request that can be replayed",
                plan.notes.empty() ? "record some traffic first" : plan.notes.front());
  return plan;
}

Result<Json> RunReplay(PredictedServer& server, const ReplayPlan& plan, const ReplayOptions& options,
                       const RunContext& context) {
  Replay replay(server, plan, context);
  SplitMix64 random(options.seed);
  for (int loop = 0; loop < options.loops; ++loop) {
    context.Report(loop, options.loops, "replaying " + std::to_string(plan.turns.size()) + " turns");
    const bool on_first = random.Below(2) == 0;
    HELIX_TRY(replay.Loop(on_first));
    HELIX_TRY(replay.Loop(!on_first));
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < plan.turns.size(); ++i)
    rows.push_back(TurnJson(plan.turns[i], replay.turns()[i]));
  Json result = Json::object();
  result["verdict"] = result["reason"] = nullptr;
  result["loop"] = LoopJson(replay);
  result["turns"] = std::move(rows);
  result["notes"] = plan.notes;
  Judge(replay, result);
  return result;
}

}  // namespace helix::tracks
