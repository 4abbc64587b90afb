// Group D, how the calls were planned, paired, repeated and kept.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/analysis/checks/statistics_checks.h"
#include "core/analysis/quantile.h"
#include "core/analysis/series.h"
#include "core/analysis/stopping.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

void TooFew(const CheckInput& in, Reporter& out) {
  std::size_t n = std::min(in.statistics.off.n, in.statistics.on.n);
  if (n >= 10) return;
  out.Find("/samples", std::to_string(n) + " finished calls in the smaller arm", "at least 10",
           "measure at least 10 pairs");
}

void Unpaired(const CheckInput& in, Reporter& out) {
  std::size_t finished = in.report.sequence.size();
  if (in.report.pairs.size() * 2 == finished) return;
  out.Find("/samples",
           std::to_string(in.report.pairs.size()) + " whole pairs in " + std::to_string(finished) +
               " finished calls",
           "every finished call has its partner",
           "exclude both calls of a pair, or measure the missing one again in a new run");
}

namespace {

// The plan's order, when it is a list.
const Json* Order(const CheckInput& in) {
  const Json* order = Find(in.report.Plan(), "order");
  return order != nullptr && order->is_array() && !order->empty() ? order : nullptr;
}

bool SeqComplete(const CheckInput& in, const Json& order) {
  std::vector<bool> seen(order.size(), false);
  for (const auto& s : in.report.samples) {
    if (!(s.seq >= 0) || s.seq >= static_cast<double>(order.size()) || std::floor(s.seq) != s.seq)
      return false;
    if (seen[static_cast<std::size_t>(s.seq)]) return false;
    seen[static_cast<std::size_t>(s.seq)] = true;
  }
  return std::all_of(seen.begin(), seen.end(), [](bool b) { return b; });
}

}  // namespace

void MissingSamples(const CheckInput& in, Reporter& out) {
  const Json* order = Order(in);
  if (order == nullptr) return out.Missing("plan/order");
  if (SeqComplete(in, *order)) return;
  out.Find("/samples", std::to_string(in.report.samples.size()) + " rows",
           "one row for each of the " + std::to_string(order->size()) + " calls of plan.order, seq 0 to " +
               std::to_string(order->size() - 1),
           "record every call, failed ones with their status");
}

void BlockedOrder(const CheckInput& in, Reporter& out) {
  std::vector<bool> arms;
  for (std::size_t i : SeqOrder(in.report)) {
    const SampleView& s = in.report.at(i);
    if (s.warmup != Flag::kTrue && (s.arm == Arm::kOff || s.arm == Arm::kOn))
      arms.push_back(s.arm == Arm::kOn);
  }
  auto runs = RunsOf(arms);
  if (!runs) return out.Missing("samples");
  if (runs->z >= -3) return;
  out.Find("/plan/order",
           std::to_string(runs->runs) + " runs of equal arms in " + std::to_string(arms.size()) + " calls",
           "about " + Text(std::round(runs->mean)), "draw the order of the two calls anew for every pair");
}

namespace {

template <typename Test>
void EachEarlierRun(const CheckInput& in, Test test) {
  const Json* history = Find(*in.report.root, "history");
  if (history == nullptr || !history->is_array()) return;
  for (const auto& run : *history) test(run);
}

}  // namespace

void BestOfRuns(const CheckInput& in, Reporter& out) {
  auto executed = NumberAt(in.report.Claim(), "runs_executed");
  auto reported = NumberAt(in.report.Claim(), "runs_reported");
  if (!executed || !reported) out.Missing("claim/runs_executed");
  double runs = executed.value_or(1);
  auto plan = StringAt(*in.report.root, "plan_sha256");
  std::set<std::string> others;
  std::set<std::string> unfinished;
  EachEarlierRun(in, [&](const Json& run) {
    if (!plan || StringAt(run, "plan_sha256") != plan) return;
    bool has_report = BoolAt(run, "reported").value_or(true);
    (has_report ? others : unfinished).insert(StringAt(run, "run_id").value_or(DumpJson(run)));
  });
  if (!unfinished.empty()) {
    out.FindAs(Severity::kWarn, "/claim/runs_executed",
               std::to_string(unfinished.size()) + " runs of this plan were begun and have no report",
               "every run that was begun is reported",
               "say why it was broken off, or measure with another seed and report every run");
  }
  runs = std::max(runs, static_cast<double>(others.size() + 1));
  if (runs <= reported.value_or(1)) return;
  out.Find("/claim/runs_executed", Text(runs) + " runs made, " + Text(reported.value_or(1)) + " reported",
           "every run reported", "report all runs of a plan, or none");
}

void OptionalStopping(const CheckInput& in, Reporter& out) {
  const Json* stopping = Find(in.report.Plan(), "stopping");
  auto rule = stopping == nullptr ? std::nullopt : StringAt(*stopping, "rule");
  if (!rule) return out.Missing("plan/stopping");
  double looks = NumberAt(*stopping, "looks").value_or(1);
  bool spent = false;
  for (const char* name : {"alpha_per_look", "nominal_alpha", "alpha"}) {
    auto alpha = NumberAt(*stopping, name);
    spent = spent || (alpha && *alpha > 0 && *alpha <= NominalAlpha(looks));
  }
  bool by_precision = rule->find("precision") != std::string::npos;
  bool fixed = *rule == "fixed";
  if ((fixed && looks <= 1) || by_precision || (!fixed && spent)) return;
  out.Find("/plan/stopping", DumpJson(*stopping), "a fixed number of pairs, or a rule that spends its alpha",
           "fix the number of pairs in the plan, or plan the looks with their alpha");
}

void EvidenceReused(const CheckInput& in, Reporter& out) {
  std::set<std::string_view> seen;
  bool missing = in.report.samples.empty();
  std::vector<std::uint64_t> keys;
  for (const auto& s : in.report.samples) {
    missing |= s.ok() && !Has(s.raw_sha256);
    if (Has(s.raw_sha256)) keys.push_back(HashOf(s.raw_sha256));
  }
  bool repeats = HoldsRepeats(std::move(keys));
  for (const auto& s : in.report.samples) {
    if (!repeats || !Has(s.raw_sha256) || seen.insert(s.raw_sha256).second) continue;
    out.Find(s.Pointer("raw_sha256"), std::string(s.raw_sha256), "bytes of its own",
             "one reply cannot be the evidence of two calls");
  }
  auto root = StringAt(*in.report.root, "merkle_root");
  EachEarlierRun(in, [&](const Json& run) {
    const Json* shared = Find(run, "shared_evidence");
    bool whole = root && StringAt(run, "merkle_root") == root;  // replayed_report says so
    if (whole || shared == nullptr || !shared->is_array() || shared->empty()) return;
    out.Find("/samples",
             std::to_string(shared->size()) + " replies of run " + StringAt(run, "run_id").value_or("?"),
             "replies of this run's own", "one reply cannot be the evidence of two runs");
  });
  if (missing) out.Missing("raw_sha256");
}

void PooledWorkloads(const CheckInput& in, Reporter& out) {
  std::map<std::string_view, std::vector<double>> off;
  std::map<std::string_view, std::vector<double>> on;
  auto has = [](const SampleView& s) { return Has(s.workload_id) && Has(s.ttft_ns); };
  EachSample(in, out, "workload_id", has, [&](const SampleView& s) {
    (s.arm == Arm::kOn ? on : off)[s.workload_id].push_back(s.ttft_ns);
  });
  for (const auto& pair : in.report.pairs) {
    const SampleView& a = in.report.at(pair.off);
    const SampleView& b = in.report.at(pair.on);
    if (a.workload_id == b.workload_id) continue;
    return out.Find(b.Pointer("workload_id"), Shown(a.workload_id) + " against " + Shown(b.workload_id),
                    "one workload in a pair", "pair equal work");
  }
  const auto& pooled = in.statistics.ttft;
  if (!pooled) return;
  for (const auto& [id, values] : off) {
    auto it = on.find(id);
    if (off.size() < 2 || it == on.end()) continue;
    double ratio = *Median(values) / *Median(it->second);
    if ((ratio > 1) == (pooled->ratio.value > 1)) continue;
    out.Find("/samples",
             "workload " + std::string(id) + " has the ratio " + Text(ratio) + ", all together " +
                 Text(pooled->ratio.value),
             "the same direction", "report each workload apart");
  }
}

namespace {

double HitRateOfFirst(const CheckInput& in, bool first_only) {
  std::set<std::string_view> seen;
  double cached = 0;
  double prompt = 0;
  for (std::size_t i : in.report.on) {
    const SampleView& s = in.report.at(i);
    if (!s.ok() || !Has(s.cached_n) || !Has(s.prompt_tokens)) continue;
    if (first_only && !seen.insert(s.prompt_sha256).second) continue;
    cached += s.cached_n;
    prompt += s.prompt_tokens;
  }
  return prompt > 0 ? cached / prompt : kAbsent;
}

}  // namespace

void DuplicateRequests(const CheckInput& in, Reporter& out) {
  std::map<std::string_view, std::size_t> times[2];
  auto has = [](const SampleView& s) { return Has(s.prompt_sha256); };
  std::vector<std::uint64_t> keys;
  EachSample(in, out, "req/prompt_sha256", has, [&](const SampleView& s) {
    if (s.arm == Arm::kOn) keys.push_back(HashOf(s.prompt_sha256));
  });
  if (!HoldsRepeats(std::move(keys))) return;
  EachSample(in, out, "req/prompt_sha256", has,
             [&](const SampleView& s) { ++times[s.arm == Arm::kOn ? 1 : 0][s.prompt_sha256]; });
  double allowed = 1 + NumberAt(in.report.Plan(), "resends").value_or(0);
  const Json* order = Order(in);
  bool beyond_plan = order != nullptr && in.report.samples.size() > order->size();
  auto claimed = NumberAt(in.report.Claim(), "hit_rate");
  bool rate_differs = claimed && !Near(HitRateOfFirst(in, true), HitRateOfFirst(in, false), 1e-6);
  for (const auto& [prompt, n] : times[1]) {
    if (static_cast<double>(n) <= allowed) continue;
    auto it = times[0].find(prompt);
    bool symmetric = it != times[0].end() && it->second >= n;
    if (symmetric && !beyond_plan && !rate_differs) continue;
    return out.Find("/samples", "one prompt was sent " + std::to_string(n) + " times in the on arm",
                    "as often as the plan says: " + Text(allowed),
                    "count a prompt's first call only; list resends in plan.resends");
  }
}

}  // namespace helix::analysis::checks
