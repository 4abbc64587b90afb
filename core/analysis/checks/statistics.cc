// Group D: statistics.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/checks/claims.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/analysis/series.h"
#include "core/analysis/signed_rank.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

std::vector<double> Ttft(const CheckInput& in, const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  for (std::size_t i : rows) {
    const SampleView& s = in.report.at(i);
    if (s.ok() && Has(s.ttft_ns)) out.push_back(s.ttft_ns);
  }
  return out;
}

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

void MissingSamples(const CheckInput& in, Reporter& out) {
  const Json* order = Order(in);
  if (order == nullptr) return out.Missing("plan/order");
  if (SeqComplete(in, *order)) return;
  out.Find("/samples", std::to_string(in.report.samples.size()) + " rows",
           "one row for each of the " + std::to_string(order->size()) + " calls of plan.order, seq 0 to " +
               std::to_string(order->size() - 1),
           "record every call, failed ones with their status");
}

bool ValidExclusion(const CheckInput& in, const SampleView& s) {
  if (!Has(s.exclusion_rule) || s.exclusion_rule.empty()) return false;
  const Json* rules = Find(in.report.Plan(), "exclusion_rules");
  if (rules == nullptr || !rules->is_array()) return true;
  return std::any_of(rules->begin(), rules->end(), [&](const Json& r) {
    return r.is_string() && r.get_ref<const std::string&>() == s.exclusion_rule;
  });
}

void UnruledExclusion(const CheckInput& in, Reporter& out) {
  std::map<Arm, int> excluded;
  const SampleView* unruled = nullptr;
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    for (std::size_t i : *rows) {
      const SampleView& s = in.report.at(i);
      if (s.status != "excluded") continue;
      ++excluded[s.arm];
      if (!ValidExclusion(in, s)) unruled = &s;
    }
  }
  if (unruled == nullptr && excluded[Arm::kOff] == excluded[Arm::kOn]) return;
  out.Find(unruled != nullptr ? unruled->Pointer("status") : "/samples",
           std::to_string(excluded[Arm::kOff]) + " off and " + std::to_string(excluded[Arm::kOn]) +
               " on calls excluded" + (unruled != nullptr ? ", one without a rule of the plan" : ""),
           "the same number in both arms, each by a rule of the plan",
           "exclude whole pairs by a rule that was written before the run");
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

void Drift(const CheckInput& in, Reporter& out) {
  const TimeSeries& s = in.statistics.series;
  if (s.n == 0) return out.Missing("client/ttft_ns");
  if (!(s.kendall_p < 0.001) || std::fabs(s.drift_log) <= std::log(1.05)) return;
  out.Find("/samples",
           "times changed by a factor of " + Text(std::exp(s.drift_log)) + " over the run (p " +
               Text(s.kendall_p) + ")",
           "within 5 %", "let the machine settle, then measure again");
}

void OrderEffect(const CheckInput& in, Reporter& out) {
  const TimeSeries& s = in.statistics.series;
  if (!s.order_p) return out.Missing("client/ttft_ns");
  if (!(*s.order_p < 0.001) || std::fabs(*s.order_effect) <= std::log(1.02)) return;
  out.Find("/samples",
           "the second call of a pair takes " + Text(std::exp(*s.order_effect)) + " times as long (p " +
               Text(*s.order_p) + ")",
           "within 2 %", "wait between calls, or measure each arm on a server of its own");
}

void AutocorrelationIgnored(const CheckInput& in, Reporter& out) {
  const TimeSeries& s = in.statistics.series;
  if (s.n == 0) return out.Missing("client/ttft_ns");
  if (!(s.ljung_box_p < 0.001) || std::fabs(s.r1) <= 1.96 / std::sqrt(static_cast<double>(s.n))) return;
  out.Find("/samples", "neighbouring calls agree: r1 " + Text(s.r1) + " (p " + Text(s.ljung_box_p) + ")",
           "independent calls",
           "the interval is too narrow: count " + Text(std::floor(s.effective_n)) +
               " independent calls, or space the calls");
}

void DuplicateRows(const CheckInput& in, Reporter& out) {
  std::set<std::pair<double, double>> seen[2];
  auto has = [](const SampleView& s) { return Has(s.ttft_ns) && Has(s.total_ns); };
  EachSample(in, out, "client/total_ns", has, [&](const SampleView& s) {
    if (seen[s.arm == Arm::kOn ? 1 : 0].emplace(s.ttft_ns, s.total_ns).second) return;
    out.Find(s.Pointer("client"), "ttft_ns and total_ns of an earlier call, to the nanosecond",
             "times of its own", "do not copy rows; measure as many pairs as you report");
  });
}

void P95Unsupported(const CheckInput& in, Reporter& out) {
  const Json& claim = in.report.Claim();
  if (!NumberAt(claim, "p95_off") && !NumberAt(claim, "p95_on")) return out.Missing("claim/p95_off");
  std::size_t n = std::min(in.statistics.off.n, in.statistics.on.n);
  if (n >= 20 || BoolAt(claim, "p95_is_max").value_or(false)) return;
  out.Find("/claim/p95_is_max", "a p95 from " + std::to_string(n) + " calls",
           "p95_is_max: true below 20 calls", "print it as the slowest call");
}

void SummaryMismatch(const CheckInput& in, Reporter& out) {
  auto stated = StatedNumbers(in);
  if (stated.empty()) return out.Missing("claim/speedup_ttft");
  for (const auto& number : stated) {
    if (!number.recomputed) {
      if (in.report.sequence.empty()) out.Missing("samples");
      continue;
    }
    if (Near(number.stated, *number.recomputed, 1e-6)) continue;
    out.Find(number.pointer, Text(number.stated), Text(*number.recomputed) + ", recomputed from the samples",
             "compute the summary from the recorded samples");
  }
}

void MixedStatistics(const CheckInput& in, Reporter& out) {
  auto claim = ClaimedSpeedup(in);
  if (!claim) return out.Missing("claim/speedup_ttft");
  if (ClaimIsRecomputed(in)) return;
  std::string how = MixtureOf(in, *claim);
  if (how.empty()) return;
  out.Find(ClaimPointer(in), Text(*claim) + " = " + how, "the same statistic of both arms",
           "divide medians by medians, or use the paired estimate");
}

void BestOfRuns(const CheckInput& in, Reporter& out) {
  auto executed = NumberAt(in.report.Claim(), "runs_executed");
  auto reported = NumberAt(in.report.Claim(), "runs_reported");
  if (!executed || !reported) out.Missing("claim/runs_executed");
  double runs = executed.value_or(1);
  auto plan = StringAt(*in.report.root, "plan_sha256");
  std::set<std::string> others;
  if (const Json* history = Find(*in.report.root, "history"); history != nullptr && history->is_array()) {
    for (const auto& run : *history) {
      if (plan && StringAt(run, "plan_sha256") == plan)
        others.insert(StringAt(run, "run_id").value_or(DumpJson(run)));
    }
  }
  runs = std::max(runs, static_cast<double>(others.size() + 1));
  if (runs <= reported.value_or(1)) return;
  out.Find("/claim/runs_executed", Text(runs) + " runs made, " + Text(reported.value_or(1)) + " reported",
           "every run reported", "report all runs of a plan, or none");
}

bool ClaimsDifference(const CheckInput& in) {
  auto direction = StringAt(in.report.Claim(), "direction");
  return ClaimedSpeedup(in) && direction != "undecided" && direction != "no_practical_difference";
}

void IntervalIncludesOne(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.ForMetric(in.metric);
  if (!r || !r->ratio.has_interval) return out.Missing("client/ttft_ns");
  if (!ClaimsDifference(in)) return;
  if (r->ratio.ci_low > 1 || r->ratio.ci_high < 1) return;
  out.Find(ClaimPointer(in), "the interval is " + Text(r->ratio.ci_low) + " to " + Text(r->ratio.ci_high),
           "an interval without 1", "claim no difference; measure more pairs");
}

// Digits after the decimal point of the first number in a text.
std::optional<int> Decimals(const std::string& text) {
  auto digit = text.find_first_of("0123456789");
  if (digit == std::string::npos) return std::nullopt;
  auto end = text.find_first_not_of("0123456789", digit);
  if (end == std::string::npos || text[end] != '.') return 0;
  auto stop = text.find_first_not_of("0123456789", end + 1);
  return static_cast<int>((stop == std::string::npos ? text.size() : stop) - end - 1);
}

void FalsePrecision(const CheckInput& in, Reporter& out) {
  auto shown = StringAt(in.report.Claim(), "display");
  if (!shown) shown = StringAt(in.report.Claim(), "text");
  const auto& r = in.statistics.ForMetric(in.metric);
  auto decimals = shown ? Decimals(*shown) : std::nullopt;
  if (!decimals || !r || !r->ratio.has_interval) return out.Missing("claim/display");
  double half = (r->ratio.ci_high - r->ratio.ci_low) / 2;
  if (!(half > 0)) return;
  int supported = static_cast<int>(-std::floor(std::log10(half))) + 2;
  if (*decimals <= std::max(supported, 0)) return;
  out.Find(
      "/claim/display", *shown,
      "at most " + std::to_string(std::max(supported, 0)) + " decimals for an interval of +-" + Text(half),
      "round to what the interval supports");
}

void VarianceTooLow(const CheckInput& in, Reporter& out) {
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    std::vector<double> logs;
    for (double v : Ttft(in, *rows)) {
      if (v > 0) logs.push_back(std::log(v));
    }
    if (logs.size() < 3) {
      out.Missing("client/ttft_ns");
      continue;
    }
    double sd = *StandardDeviation(logs);
    if (sd >= 1e-4) continue;
    out.Find("/samples",
             std::string(rows == &in.report.off ? "off" : "on") + " times vary by " + Text(sd) + " in ln",
             "at least 0.0001; real calls vary more", "record every call's own time");
  }
}

void RoundNumbers(const CheckInput& in, Reporter& out) {
  std::size_t n = 0;
  std::size_t round = 0;
  auto has = [](const SampleView& s) { return Has(s.ttft_ns); };
  EachSample(in, out, "client/ttft_ns", has, [&](const SampleView& s) {
    ++n;
    if (std::fmod(s.ttft_ns, 1e6) == 0) ++round;
  });
  if (n < 4 || 2 * round <= n) return;
  out.Find("/samples", std::to_string(round) + " of " + std::to_string(n) + " times are whole milliseconds",
           "nanoseconds", "record the clock's own value, unrounded");
}

void ConstantRatio(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.ttft;
  if (!r || r->pairs < 3) return out.Missing("client/ttft_ns");
  if (r->sd_log >= 1e-4) return;
  out.Find("/samples", "off/on is the same in every pair, within " + Text(r->sd_log) + " in ln",
           "two measurements with noise of their own", "one arm is a scaled copy of the other: measure both");
}

bool Arithmetic(const std::vector<double>& x) {
  if (x.size() < 5 || x[1] == x[0]) return false;
  for (std::size_t i = 2; i < x.size(); ++i) {
    if (std::fabs(x[i] - 2 * x[i - 1] + x[i - 2]) > 2) return false;
  }
  return true;
}

// Correlation of the sorted values with normal scores (Shapiro-Francia W') above 0.9999.
bool PerfectlyNormal(std::vector<double> x) {
  if (x.size() < 10) return false;
  std::sort(x.begin(), x.end());
  double mean = Mean(x);
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double score = NormalQuantile((static_cast<double>(i) + 0.625) / (static_cast<double>(x.size()) + 0.25));
    xy += (x[i] - mean) * score;
    xx += (x[i] - mean) * (x[i] - mean);
    yy += score * score;
  }
  return xx > 0 && xy * xy / (xx * yy) > 0.9999;
}

void ArithmeticSequence(const CheckInput& in, Reporter& out) {
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    auto values = Ttft(in, *rows);
    if (values.size() < 5) {
      out.Missing("client/ttft_ns");
      continue;
    }
    bool steps = Arithmetic(values);
    if (!steps && !PerfectlyNormal(values)) continue;
    out.Find("/samples",
             steps ? "times rise by the same step from call to call"
                   : "times follow a normal curve without any deviation",
             "measured times", "a program made these numbers: measure");
  }
}

void OptionalStopping(const CheckInput& in, Reporter& out) {
  const Json* stopping = Find(in.report.Plan(), "stopping");
  auto rule = stopping == nullptr ? std::nullopt : StringAt(*stopping, "rule");
  if (!rule) return out.Missing("plan/stopping");
  double looks = NumberAt(*stopping, "looks").value_or(1);
  bool spent = NumberAt(*stopping, "alpha_spent") || NumberAt(*stopping, "alpha_per_look") ||
               NumberAt(*stopping, "nominal_alpha") || NumberAt(*stopping, "alpha");
  bool by_precision = rule->find("precision") != std::string::npos;
  bool fixed = *rule == "fixed";
  if ((fixed && looks <= 1) || by_precision || (!fixed && spent)) return;
  out.Find("/plan/stopping", DumpJson(*stopping), "a fixed number of pairs, or a rule that spends its alpha",
           "fix the number of pairs in the plan, or plan the looks with their alpha");
}

void DerivedAsMeasured(const CheckInput& in, Reporter& out) {
  const Json& claim = in.report.Claim();
  auto kind = StringAt(claim, "kind");
  auto label = StringAt(claim, "label");
  auto speedup = ClaimedSpeedup(in);
  if (!kind) out.Missing("claim/kind");
  if (kind && *kind != "measured" && label.value_or("measured") == "measured") {
    out.Find("/claim/kind", *kind + ", labelled measured", "measured", "label a derived number as derived");
  }
  const auto& bound = in.statistics.skip_bound;
  if (speedup && bound && *bound > 1 && Near(*speedup, *bound, 1e-12)) {
    out.Find(ClaimPointer(in), Text(*speedup), "a measurement, not exactly the bound of skipping",
             "report what was measured");
  }
  if (speedup && in.report.sequence.empty()) {
    out.Find(ClaimPointer(in), Text(*speedup) + " without one finished call", "samples behind the number",
             "measure before you claim");
  }
}

void EvidenceReused(const CheckInput& in, Reporter& out) {
  std::set<std::string_view> seen;
  bool missing = in.report.samples.empty();
  for (const auto& s : in.report.samples) {
    if (!Has(s.raw_sha256)) {
      missing |= s.ok();
      continue;
    }
    if (seen.insert(s.raw_sha256).second) continue;
    out.Find(s.Pointer("raw_sha256"), std::string(s.raw_sha256), "bytes of its own",
             "one reply cannot be the evidence of two calls");
  }
  if (missing) out.Missing("raw_sha256");
}

std::vector<double> NoiseLogs(const CheckInput& in) {
  std::map<double, double> again;
  for (const auto& s : in.report.samples) {
    if (s.arm == Arm::kOffAa && s.ok() && s.warmup != Flag::kTrue && s.ttft_ns > 0) again[s.pair] = s.ttft_ns;
  }
  std::vector<double> out;
  for (std::size_t i : in.report.off) {
    const SampleView& s = in.report.at(i);
    auto it = again.find(s.pair);
    if (s.ok() && it != again.end() && s.ttft_ns > 0) out.push_back(std::log(s.ttft_ns / it->second));
  }
  return out;
}

void NoiseFloorIgnored(const CheckInput& in, Reporter& out) {
  auto logs = NoiseLogs(in);
  auto wide = HodgesLehmannOf(logs, 0.001);
  auto usual = HodgesLehmannOf(logs, 0.05);
  std::optional<double> half;
  if (usual && usual->has_interval) half = (usual->high - usual->low) / 2;
  if (auto stated = NumberAt(in.report.Claim(), "noise_floor"); stated && *stated > 1)
    half = std::max(half.value_or(0), std::log(*stated));
  if (!half) return out.Missing("samples of arm off_aa");
  if (wide && wide->has_interval && (wide->low > 0 || wide->high < 0) &&
      std::fabs(wide->estimate) > std::log(1.02)) {
    out.Find("/samples", "off against off differs by a factor of " + Text(std::exp(wide->estimate)),
             "1 within 2 %",
             "this environment is not fit for a measurement: find out why equal calls differ");
  }
  auto claim = ClaimedSpeedup(in);
  if (!claim || *claim <= 0 || !ClaimsDifference(in) || std::fabs(std::log(*claim)) > *half) return;
  out.Find(ClaimPointer(in), Text(*claim), "an effect beyond the noise floor of " + Text(std::exp(*half)),
           "equal calls differ as much: claim nothing");
}

void PercentRatioConfusion(const CheckInput& in, Reporter& out) {
  auto claim = ClaimedSpeedup(in);
  if (!claim) return out.Missing("claim/speedup_ttft");
  if (ClaimIsRecomputed(in)) return;
  for (double ratio : RatiosOf(in)) {
    if (ratio <= 1 || !Near(*claim, 100 * (1 - 1 / ratio), 1e-3)) continue;
    return out.Find(ClaimPointer(in), Text(*claim), Text(ratio),
                    "a saving of " + Text(std::round(*claim)) + " % is a ratio of " + Text(ratio));
  }
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

bool IsRate(const std::string& metric) {
  return metric.find("/s") != std::string::npos || metric.find("per_s") != std::string::npos ||
         metric.find("throughput") != std::string::npos;
}

void UnitsMismatch(const CheckInput& in, Reporter& out) {
  auto claim = StringAt(in.report.Claim(), "metric");
  if (!claim) return out.Missing("claim/metric");
  std::string plan = StringAt(in.report.Plan(), "metric").value_or("ttft");
  auto unit = StringAt(in.report.Claim(), "unit");
  if (IsRate(*claim) == IsRate(plan) && !(unit && IsRate(*unit) && !IsRate(plan))) return;
  out.Find("/claim/metric", *claim + (unit ? " in " + *unit : ""), "the plan measures " + plan,
           "compare a rate with a rate and a time with a time");
}

void MetricSwitched(const CheckInput& in, Reporter& out) {
  auto plan = StringAt(in.report.Plan(), "metric");
  auto claim = StringAt(in.report.Claim(), "metric");
  if (!plan || !claim) return out.Missing("plan/metric");
  if (*plan == *claim) return;
  out.Find("/claim/metric", *claim, *plan + ", as planned", "claim what the plan set out to measure");
}

void MeanOfRatios(const CheckInput& in, Reporter& out) {
  auto claim = ClaimedSpeedup(in);
  if (!claim) return out.Missing("claim/speedup_ttft");
  std::vector<double> ratios;
  for (const auto& pair : in.report.pairs) {
    double ratio = TimeOf(in, in.report.at(pair.off)) / TimeOf(in, in.report.at(pair.on));
    if (std::isfinite(ratio)) ratios.push_back(ratio);
  }
  const auto& r = in.statistics.ForMetric(in.metric);
  if (ratios.empty() || !r) return out.Missing("client/ttft_ns");
  bool sound = Near(*claim, r->ratio.value, 1e-6) ||
               (r->geometric_mean && Near(*claim, r->geometric_mean->value, 1e-6));
  if (sound || !Near(*claim, Mean(ratios), 1e-6)) return;
  out.Find(ClaimPointer(in), Text(*claim) + ", the mean of off/on", Text(r->ratio.value),
           "the mean of ratios favours the slow arm: use the paired estimate");
}

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

void DuplicateRequests(const CheckInput& in, Reporter& out) {
  std::map<std::string_view, std::size_t> times[2];
  auto has = [](const SampleView& s) { return Has(s.prompt_sha256); };
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

void PerTokenOfTotal(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) {
    return Has(s.ms_per_token) && Has(s.prompt_ms) && Has(s.prompt_tokens) && Has(s.processed_n);
  };
  bool any = false;
  for (std::size_t i : in.report.on) {
    const SampleView& s = in.report.at(i);
    if (!s.ok() || !has(s)) continue;
    any = true;
    if (s.processed_n > s.prompt_tokens / 2 || !Near(s.ms_per_token * s.prompt_tokens, s.prompt_ms, 1e-3))
      continue;
    out.Find(s.Pointer("server/ms_per_token"), Text(s.ms_per_token),
             Text(s.prompt_ms / s.processed_n) + " = prompt_ms / tokens evaluated",
             "divide by the tokens that were evaluated");
  }
  auto claimed = NumberAt(in.report.Claim(), "ms_per_token");
  if (claimed) {
    double ms = 0;
    double all = 0;
    double evaluated = 0;
    for (std::size_t i : in.report.on) {
      const SampleView& s = in.report.at(i);
      if (!s.ok() || !Has(s.prompt_ms) || !Has(s.prompt_tokens) || !Has(s.processed_n)) continue;
      ms += s.prompt_ms;
      all += s.prompt_tokens;
      evaluated += s.processed_n;
    }
    if (evaluated > 0 && evaluated < all / 2 && Near(*claimed, ms / all, 1e-3)) {
      out.Find("/claim/ms_per_token", Text(*claimed), Text(ms / evaluated),
               "divide by the tokens that were evaluated");
    }
  }
  if (!any && !claimed) out.Missing("server/ms_per_token");
}

}  // namespace

std::vector<Check> StatisticsChecks() {
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto I = Severity::kInconclusive;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto declared = Absence::kDeclarable;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"D01", "n_too_small", I, need, "fewer than 10 finished calls in an arm", TooFew},
      {"D02", "unpaired", I, need, "finished calls without a partner", Unpaired},
      {"D03a", "missing_samples", F, need, "planned calls that are not recorded", MissingSamples},
      {"D03b", "asymmetric_or_unruled_exclusion", F, need, "calls excluded in one arm, or without a rule",
       UnruledExclusion},
      {"D04", "blocked_order", F, need, "one arm after the other", BlockedOrder},
      {"D05", "drift", W, need, "the machine changed during the run", Drift},
      {"D06", "order_effect", F, need, "the second call of a pair is slower or faster", OrderEffect},
      {"D07", "autocorrelation", W, need, "calls are not independent", AutocorrelationIgnored},
      {"D08", "duplicate_rows", F, declared, "rows copied to the nanosecond", DuplicateRows},
      {"D09", "p95_unsupported", F, need, "a p95 from fewer than 20 calls", P95Unsupported},
      {"D10", "summary_mismatch", F, need, "the summary is not that of the samples", SummaryMismatch},
      {"D11", "mixed_statistics", F, need, "two different statistics divided", MixedStatistics},
      {"D12", "best_of_runs", F, need, "more runs made than reported", BestOfRuns},
      {"D13", "ci_includes_1", F, need, "a difference claimed that may be none", IntervalIncludesOne},
      {"D14", "false_precision", W, free, "more digits shown than the interval supports", FalsePrecision},
      {"D15a", "variance_too_low", F, declared, "times without noise", VarianceTooLow},
      {"D15b", "round_numbers", F, declared, "times rounded to milliseconds", RoundNumbers},
      {"D16", "constant_ratio", F, declared, "one arm is a scaled copy of the other", ConstantRatio},
      {"D17", "arithmetic_sequence", F, declared, "times made by a formula", ArithmeticSequence},
      {"D18", "optional_stopping", F, free, "stopped when it looked good", OptionalStopping},
      {"D19", "derived_as_measured", F, need, "a computed constant labelled measured", DerivedAsMeasured},
      {"D20", "evidence_reused", F, need, "one reply is the evidence of two calls", EvidenceReused},
      {"D21", "noise_floor_ignored", F, free, "the effect is within what equal calls differ by",
       NoiseFloorIgnored},
      {"D22", "percent_ratio_confusion", F, need, "a percentage printed as a ratio", PercentRatioConfusion},
      {"D23", "pooled_workloads", F, free, "different workloads in one ratio", PooledWorkloads},
      {"D24", "units_mismatch", F, need, "a rate compared with a time", UnitsMismatch},
      {"D25", "metric_switched", F, free, "another metric than planned", MetricSwitched},
      {"D26", "mean_of_ratios", W, need, "the arithmetic mean of ratios", MeanOfRatios},
      {"D27", "duplicate_requests_counted", F, need, "resends counted as more hits", DuplicateRequests},
      {"D28", "per_token_divided_by_total", F, free, "time per token over tokens that were skipped",
       PerTokenOfTotal},
  };
}

}  // namespace helix::analysis
