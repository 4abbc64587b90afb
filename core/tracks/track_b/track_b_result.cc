#include "core/tracks/track_b/track_b_result.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "core/levers/concise.h"
#include "core/tracks/track_b/cache_verdict.h"
#include "core/tracks/track_b/cost_result.h"
#include "core/tracks/track_b/decode_comparison.h"
#include "core/tracks/track_b/router_facts.h"
#include "core/tracks/track_b/track_b_report.h"
#include "core/tracks/track_b/ttft_difference.h"
#include "core/tracks/track_b/usage_doubts.h"

namespace helix::tracks {
namespace {

using Arm = PlannedCall::Arm;
using Calls = std::vector<const TrackBCall*>;

constexpr double kWarmShare = 0.9;
// A hosted prefix is cached in blocks; a cold call that shares a block's worth of template is still cold.
constexpr std::int64_t kHostedColdAllowance = 0;

Calls OfArm(const TrackBRun& run, Arm arm) {
  Calls out;
  for (const auto& call : run.calls) {
    if (call.planned.arm == arm) out.push_back(&call);
  }
  return out;
}

std::optional<double> ReadShare(const TrackBCall& call) {
  const auto& usage = call.reply.reply.usage;
  if (!call.reply.ok || !usage.cache_read.present() || !usage.in_total.present()) return std::nullopt;
  if (usage.in_total.value().count <= 0) return std::nullopt;
  return double(usage.cache_read.value().count) / double(usage.in_total.value().count);
}

// Of the prefix, where it is known how long it is; at most 1, since the questions' first words are shared
// too.
std::optional<double> PrefixShare(const TrackBCall& call, std::optional<std::int64_t> prefix) {
  const auto& read = call.reply.reply.usage.cache_read;
  if (!prefix || *prefix <= 0 || !call.reply.ok || !read.present()) return std::nullopt;
  if (!CountsPrompt(call.reply)) return std::nullopt;
  return std::min(1.0, double(read.value().count) / double(*prefix));
}

std::vector<double> PrefixShares(const Calls& calls, std::optional<std::int64_t> prefix) {
  std::vector<double> out;
  for (const auto* call : calls) {
    if (auto share = PrefixShare(*call, prefix)) out.push_back(*share);
  }
  return out;
}

std::vector<double> Values(const Calls& calls, std::optional<double> (*get)(const TrackBCall&)) {
  std::vector<double> out;
  for (const auto* call : calls) {
    if (auto value = get(*call)) out.push_back(*value);
  }
  return out;
}

std::optional<double> Ttft(const TrackBCall& call) {
  return call.reply.ok ? call.reply.ttft_ms.optional() : std::nullopt;
}

Json ArmJson(const Calls& calls) {
  Json failures = Json::object();
  std::int64_t cached_max = -1;
  std::size_t failed = 0;
  for (const auto* call : calls) {
    const auto& read = call->reply.reply.usage.cache_read;
    if (call->reply.ok && read.present() && CountsPrompt(call->reply))
      cached_max = std::max(cached_max, read.value().count);
    if (call->reply.ok) continue;
    ++failed;
    failures[call->reply.failure] = failures.value(call->reply.failure, 0) + 1;
  }
  auto shares = Values(calls, ReadShare);
  Json out = {{"n", calls.size()}, {"failed", failed}, {"failures", failures}};
  out["ttft_ms_p50"] = OrNull(analysis::Median(Values(calls, Ttft)));
  out["cached_max"] = cached_max < 0 ? Json() : Json(cached_max);
  out["read_share_min"] = shares.empty() ? Json() : Json(*std::min_element(shares.begin(), shares.end()));
  out["read_share_max"] = shares.empty() ? Json() : Json(*std::max_element(shares.begin(), shares.end()));
  return out;
}

// Pairs whose two calls both gave a TTFT.
std::optional<Difference> TtftDifference(const Calls& cold, const Calls& warm) {
  std::vector<double> a;
  std::vector<double> b;
  for (const auto* first : cold) {
    for (const auto* second : warm) {
      if (first->planned.pair != second->planned.pair) continue;
      auto x = Ttft(*first);
      auto y = Ttft(*second);
      if (x && y) {
        a.push_back(*x);
        b.push_back(*y);
      }
    }
  }
  return PairedDifference(a, b);
}

std::vector<CallFacts> Facts(const Calls& calls) {
  std::vector<CallFacts> out;
  for (const auto* call : calls) {
    const auto& request = call->planned.request;
    if (call->reply.ok)
      out.push_back({call->reply.reply, request.marked, evidence::Sha256Hex(request.salt + request.prefix)});
  }
  return out;
}

bool Replayed(const TrackBRun& run) {
  std::set<std::string> ids;
  return std::any_of(run.calls.begin(), run.calls.end(), [&](const TrackBCall& call) {
    const auto& id = call.reply.reply.id;
    return !id.empty() && !ids.insert(id).second;
  });
}

bool AnyBuffered(const TrackBRun& run) {
  return std::any_of(run.calls.begin(), run.calls.end(),
                     [](const TrackBCall& call) { return call.reply.buffered; });
}

Json TurnsJson(const Calls& turns) {
  Json out = Json::array();
  for (const auto* call : turns) {
    auto share = ReadShare(*call);
    const auto& total = call->reply.reply.usage.in_total;
    out.push_back({{"turn", call->planned.pair + 1},
                   {"in_total", total.present() ? Json(total.value().count) : Json()},
                   {"read_share", OrNull(share)}});
  }
  return out;
}

// Whether the last whole number of the text is the answer.
bool Answers(const std::string& text, const std::string& answer) {
  std::size_t end = text.find_last_of("0123456789");
  if (end == std::string::npos) return false;
  std::size_t begin = end;
  while (begin > 0 && std::string_view("0123456789").find(text[begin - 1]) != std::string_view::npos) --begin;
  return text.substr(begin, end - begin + 1) == answer;
}

std::optional<levers::Answer> AnswerOf(const TrackBCall& call) {
  const auto& out = call.reply.reply.usage.out_total;
  if (!call.reply.ok || !out.present()) return std::nullopt;
  return levers::Answer{out.value().count, call.reply.reply.finish,
                        Answers(call.reply.text, call.planned.answer)};
}

// The hold-out arm beside the concise one, over the tasks that both answered; null without that arm.
Json ConciseJson(const TrackBRun& run) {
  std::map<int, std::optional<levers::Answer>> plain;
  std::map<int, std::optional<levers::Answer>> concise;
  for (const auto& call : run.calls) {
    if (call.planned.arm == Arm::kHoldOut) plain[call.planned.pair] = AnswerOf(call);
    if (call.planned.arm == Arm::kConcise) concise[call.planned.pair] = AnswerOf(call);
  }
  std::vector<levers::Answer> a;
  std::vector<levers::Answer> b;
  for (const auto& [task, answer] : plain) {
    auto other = concise.find(task);
    if (!answer || other == concise.end() || !other->second) continue;
    a.push_back(*answer);
    b.push_back(*other->second);
  }
  auto compared = levers::CompareAnswers(a, b);
  return compared ? *compared : Json();
}

Json Finding(const std::string& code, const std::string& reason) {
  return {{"code", code}, {"reason", reason}};
}

// No dollars from counters that cannot be true.
Json DoubtedCost() {
  return {{"kind", "unknown"}, {"usd", nullptr}, {"usd_without_cache", nullptr}, {"usd_saved", nullptr}};
}

struct Judgement {
  std::string verdict = "PASS";
  Json findings = Json::array();
  void Fail(const std::string& code, const std::string& reason) {
    verdict = "FAIL";
    findings.push_back(Finding(code, reason));
  }
  void Doubt(const std::string& code, const std::string& reason) {
    if (verdict == "PASS") verdict = "INCONCLUSIVE";
    findings.push_back(Finding(code, reason));
  }
};

void JudgeArms(const Calls& cold, const Calls& warm, std::optional<std::int64_t> prefix,
               const TrackBTarget& target, Judgement& judgement) {
  std::int64_t allowed = target.template_tokens.value_or(kHostedColdAllowance);
  for (const auto* call : cold) {
    const auto& read = call->reply.reply.usage.cache_read;
    if (!call->reply.ok || !read.present() || read.value().count <= allowed) continue;
    judgement.Fail("cold_arm_warm", "a salted call read " + std::to_string(read.value().count) +
                                        " tokens; at most " + std::to_string(allowed) +
                                        " are the template's own");
    break;
  }
  auto shares = PrefixShares(warm, prefix);
  if (shares.empty()) {
    judgement.Doubt("saving_without_usage", "no warm reply says how much it read");
  } else if (shares.size() < kFewestRepeats) {
    judgement.Doubt("n_too_small", std::to_string(shares.size()) + " warm calls say how much they read; " +
                                       std::to_string(kFewestRepeats) + " are needed");
  } else if (*std::max_element(shares.begin(), shares.end()) == 0) {
    judgement.Fail("on_arm_never_hit", "no warm call read anything from the cache");
  } else if (*std::min_element(shares.begin(), shares.end()) < kWarmShare) {
    judgement.Doubt("warm_arm_evicted", "a warm call read less than 90 % of the prefix");
  }
}

void JudgeTiming(const TrackBRun& run, const std::optional<Difference>& ttft, Judgement& judgement) {
  if (AnyBuffered(run)) {
    judgement.Doubt("TTFT_INVALID_BUFFERED",
                    "a stream arrived in one piece: a hop collected it, so its TTFT is not one");
  } else if (!ttft || !ttft->has_interval) {
    judgement.Doubt("n_too_small", "too few pairs with a TTFT for an interval");
  } else if (ttft->ci_low <= 0) {
    judgement.Doubt("ci_includes_1", "the interval of the TTFT difference includes zero");
  }
}

VerdictContext ContextOf(const TrackBTarget& target, const std::optional<Difference>& ttft) {
  VerdictContext context;
  context.reads_markers = target.client.takes_markers;
  context.minimum_prefix = backend::MinimumPrefix(cost::BareModelId(target.model));
  context.through_router = backend::IsRouter(target.answerer);
  if (ttft && ttft->has_interval) context.faster_when_warm = ttft->ci_low > 0;
  return context;
}

}  // namespace

Json TrackBResult(const TrackBRun& run, const TrackBOptions& options, const TrackBTarget& target) {
  const Calls cold = OfArm(run, Arm::kCold);
  const Calls warm = OfArm(run, Arm::kWarm);
  const Calls turns = OfArm(run, Arm::kTurn);
  const bool replayed = Replayed(run);
  auto ttft = AnyBuffered(run) || replayed ? std::nullopt : TtftDifference(cold, warm);
  Judgement judgement;
  const auto prefix = ExpectedCached(run, target);
  JudgeArms(cold, warm, prefix, target, judgement);
  JudgeTiming(run, ttft, judgement);
  if (replayed)
    judgement.Fail("response_cache", "two calls got a reply with the same id: a stored reply was replayed");
  const Json doubts = UsageDoubts(run);
  for (const auto& doubt : doubts) judgement.Doubt(doubt["code"], doubt["reason"]);
  if (!run.stopped.empty()) judgement.Doubt("missing_samples", run.stopped);
  auto verdict = JudgeRepeats(Facts(warm), ContextOf(target, ttft));
  if (replayed) verdict = {"RESPONSE_CACHE_REPLAY", "two calls got a reply with the same id"};
  auto turn_verdict = JudgeTurns(Facts(turns));
  Json out = {{"verdict", judgement.verdict}, {"synthetic", false},    {"label", target.label},
              {"route", target.route},        {"model", target.model}, {"pairs", options.pairs},
              {"cold", ArmJson(cold)},        {"warm", ArmJson(warm)}};
  const auto prefix_shares = PrefixShares(warm, prefix);
  out["warm"]["prefix_share_min"] =
      prefix_shares.empty() ? Json() : Json(*std::min_element(prefix_shares.begin(), prefix_shares.end()));
  out["seed"] = options.seed;
  out["prefix_tokens"] = OrNull(prefix);
  out["template_tokens"] = OrNull(target.template_tokens);
  out["ttft_difference_ms"] = ttft ? ttft->ToJson() : Json();
  out["decode"] = DecodeComparison(cold, warm);
  out["cost"] = doubts.empty() ? CostResult(run, target) : DoubtedCost();
  out["turns"] = TurnsJson(turns);
  out["cache_verdict"] = verdict.ToJson();
  out["turn_verdict"] = turn_verdict ? turn_verdict->ToJson() : Json();
  out["router"] = RouterFacts(run, target);
  out["concise"] = ConciseJson(run);
  out["findings"] = judgement.findings;
  out["weights"] = target.synthetic_weights ? "synthetic" : "real";
  out["notices"] = target.notices;
  out["notice"] =
      "Prompt caching changes cost and time to first token. It does not change how fast tokens are "
      "generated.";
  return out;
}

}  // namespace helix::tracks
