// Group D, the numbers that are claimed against those of the samples.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>

#include "core/analysis/checks/claims.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/checks/statistics_checks.h"
#include "core/analysis/moments.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

void P95Unsupported(const CheckInput& in, Reporter& out) {
  const Json& claim = in.report.Claim();
  if (!NumberAt(claim, "p95_off") && !NumberAt(claim, "p95_on")) return out.Missing("claim/p95_off");
  std::size_t n = std::min(in.statistics.off.n, in.statistics.on.n);
  if (n >= 20 || BoolAt(claim, "p95_is_max").value_or(false)) return;
  out.Find("/claim/p95_is_max", "a p95 from " + std::to_string(n) + " calls",
           "p95_is_max: true below 20 calls", "print it as the slowest call");
}

namespace {

// What a displayed number may stand for: a claimed ratio, a bound of its interval, or the saving in percent
// that is the same.
bool IsOfTheClaim(const std::vector<double>& ratios, double shown, double tolerance, bool percent) {
  if (percent && (shown == 95 || shown == 99)) return true;  // an interval's level
  return std::any_of(ratios.begin(), ratios.end(), [&](double r) {
    if (percent && std::fabs(shown - 100 * r) <= tolerance) return true;  // a rate
    if (!percent) return std::fabs(shown - r) <= tolerance || std::fabs(shown - 1 / r) <= tolerance;
    return std::fabs(shown - 100 * (1 - 1 / r)) <= tolerance || std::fabs(shown - 100 * (r - 1)) <= tolerance;
  });
}

std::vector<double> ClaimedRatios(const Json& claim) {
  std::vector<double> out;
  for (const char* name : {"speedup_ttft", "speedup_total", "speedup_prefill", "hit_rate", "noise_floor"}) {
    if (auto ratio = NumberAt(claim, name)) out.push_back(*ratio);
  }
  if (const Json* ci = Find(claim, "ci"); ci != nullptr && ci->is_array()) {
    for (const auto& bound : *ci) {
      if (bound.is_number()) out.push_back(bound.get<double>());
    }
  }
  return out;
}

void DisplayedMismatch(const CheckInput& in, Reporter& out) {
  static const std::regex number("([0-9]+)(?:\\.([0-9]+))?\\s*(x\\b|\xC3\x97|times\\b|%)");
  const Json& claim = in.report.Claim();
  for (const char* field : {"display", "text"}) {
    std::string shown = StringAt(claim, field).value_or("").substr(0, 2000);
    for (std::sregex_iterator it(shown.begin(), shown.end(), number), end; it != end; ++it) {
      const auto& m = *it;
      double value = std::strtod(m.str(0).c_str(), nullptr);
      double tolerance = 0.5 * std::pow(10.0, -static_cast<double>(m.length(2))) * (1 + 1e-9);
      if (IsOfTheClaim(ClaimedRatios(claim), value, tolerance, m.str(3) == "%")) continue;
      out.Find(std::string("/claim/") + field, m.str(0), "a number of the claim",
               "generate the text from the claim's fields");
    }
  }
}

void DirectionMismatch(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.ForMetric(in.metric);
  auto stated = StringAt(in.report.Claim(), "direction");
  if (!stated || !r || !r->ratio.has_interval) return;
  bool wrong = (*stated == "faster" && r->ratio.ci_high < 1) || (*stated == "slower" && r->ratio.ci_low > 1);
  if (!wrong) return;
  out.Find("/claim/direction", *stated,
           "off/on is " + Text(r->ratio.ci_low) + " to " + Text(r->ratio.ci_high),
           "compute the direction from the interval");
}

}  // namespace

void SummaryMismatch(const CheckInput& in, Reporter& out) {
  DisplayedMismatch(in, out);
  DirectionMismatch(in, out);
  auto stated = StatedNumbers(in);
  if (stated.empty()) return out.Missing("claim/speedup_ttft");
  for (const auto& number : stated) {
    bool claimed = number.pointer.rfind("/claim/", 0) == 0;
    if (!number.recomputed && claimed && !in.report.sequence.empty()) {
      out.Find(number.pointer, Text(number.stated), "samples that give this number",
               "claim only what was measured");
    }
    if (!number.known) {
      out.FindAs(Severity::kWarn, number.pointer, Text(number.stated),
                 "a number that is computed from the samples", "leave it out: nothing stands behind it");
    }
    if (!number.recomputed) {
      if (in.report.sequence.empty()) out.Missing("samples");
      continue;
    }
    // The absolute part is for numbers near 0, whose last digits depend on the mathematical library.
    if (Near(number.stated, *number.recomputed, 1e-6) ||
        std::fabs(number.stated - *number.recomputed) <= 1e-9)
      continue;
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

void IntervalIncludesOne(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.ForMetric(in.metric);
  if (!r || !r->ratio.has_interval) return out.Missing("client/ttft_ns");
  if (!ClaimsDifference(in)) return;
  if (r->ratio.ci_low > 1 || r->ratio.ci_high < 1) return;
  out.Find(ClaimPointer(in), "the interval is " + Text(r->ratio.ci_low) + " to " + Text(r->ratio.ci_high),
           "an interval without 1", "claim no difference; measure more pairs");
}

namespace {

// Digits after the decimal point of the first number in a text.
std::optional<int> Decimals(const std::string& text) {
  auto digit = text.find_first_of("0123456789");
  if (digit == std::string::npos) return std::nullopt;
  auto end = text.find_first_not_of("0123456789", digit);
  if (end == std::string::npos || text[end] != '.') return 0;
  auto stop = text.find_first_not_of("0123456789", end + 1);
  return static_cast<int>((stop == std::string::npos ? text.size() : stop) - end - 1);
}

}  // namespace

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

namespace {

bool IsRate(const std::string& metric) {
  return metric.find("/s") != std::string::npos || metric.find("per_s") != std::string::npos ||
         metric.find("throughput") != std::string::npos;
}

}  // namespace

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

}  // namespace helix::analysis::checks
