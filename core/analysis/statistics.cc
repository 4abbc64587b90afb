#include "core/analysis/statistics.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/analysis/report_view.h"
#include "core/analysis/residuals.h"
#include "core/analysis/stopping.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

using Getter = double (*)(const SampleView&);

double Prefill(const SampleView& s) {
  return s.prompt_ms;
}
double Ttft(const SampleView& s) {
  return s.ttft_ns / 1e6;
}
double Total(const SampleView& s) {
  return s.total_ns / 1e6;
}
double ServerDecode(const SampleView& s) {
  return s.out_n > 1 ? s.predicted_ms / (s.out_n - 1) : kAbsent;
}
double ClientDecode(const SampleView& s) {
  return s.out_n > 1 ? (s.total_ns - s.ttft_ns) / 1e6 / (s.out_n - 1) : kAbsent;
}

// A counter from outside can be any double; the cast is defined only for what fits.
std::int64_t Whole(double v) {
  return static_cast<std::int64_t>(std::clamp(v, -9e15, 9e15));
}

std::vector<double> Values(const ReportView& r, const std::vector<std::size_t>& rows, Getter get) {
  std::vector<double> out;
  for (std::size_t i : rows) {
    double v = get(r.at(i));
    if (r.at(i).ok() && Has(v)) out.push_back(v);
  }
  return out;
}

std::optional<PairedRatio> Ratio(const ReportView& r, Getter get, const BootstrapSettings& bootstrap) {
  std::vector<double> off;
  std::vector<double> on;
  for (const auto& pair : r.pairs) {
    off.push_back(get(r.at(pair.off)));
    on.push_back(get(r.at(pair.on)));
  }
  return PairedRatioOf(off, on, bootstrap);
}

std::optional<PairedRatio> NoiseRatio(const ReportView& r, const BootstrapSettings& bootstrap) {
  std::unordered_map<double, const SampleView*> again;
  for (const auto& s : r.samples) {
    if (s.arm == Arm::kOffAa && s.ok() && s.warmup != Flag::kTrue && Has(s.pair)) again.emplace(s.pair, &s);
  }
  if (again.empty()) return std::nullopt;
  for (Getter get : {&Ttft, &Prefill, &Total}) {
    std::vector<double> a;
    std::vector<double> b;
    for (std::size_t i : r.off) {
      auto it = again.find(r.at(i).pair);
      if (!r.at(i).ok() || it == again.end()) continue;
      a.push_back(get(r.at(i)));
      b.push_back(get(*it->second));
    }
    if (auto ratio = PairedRatioOf(a, b, bootstrap)) return ratio;
  }
  return std::nullopt;
}

std::size_t SevereOutliers(const std::vector<double>& values) {
  auto middle = Median(values);
  auto mad = MedianAbsoluteDeviation(values);
  if (!mad || *mad == 0) return 0;
  return static_cast<std::size_t>(std::count_if(
      values.begin(), values.end(), [&](double v) { return std::fabs(v - *middle) / *mad > 14.826; }));
}

void SummariseTtft(ArmSummary& out, std::vector<double> ttft) {
  std::sort(ttft.begin(), ttft.end());
  out.severe_outliers = SevereOutliers(ttft);
  out.ttft_ms_p50 = Median(ttft);
  out.ttft_ms_p95 = QuantileNearestRank(ttft, 950);
  out.p95_is_max = ttft.size() < 20;
  RankBounds median = QuantileRankBounds(ttft.size(), 0.5);
  RankBounds tail = QuantileRankBounds(ttft.size(), 0.95);
  if (median.lower != 0 && median.upper != 0) {
    out.ttft_ms_p50_low = ttft[median.lower - 1];
    out.ttft_ms_p50_high = ttft[median.upper - 1];
  }
  if (tail.upper != 0) out.ttft_ms_p95_high = ttft[tail.upper - 1];
}

ArmSummary Summarise(const ReportView& r, const std::vector<std::size_t>& rows, Getter decode) {
  ArmSummary out;
  for (std::size_t i : rows) {
    const SampleView& s = r.at(i);
    if (!s.ok()) {
      ++out.failed;
      continue;
    }
    ++out.n;
    if (!Has(s.cached_n)) continue;
    out.cached_max = std::max(out.cached_max.value_or(INT64_MIN), Whole(s.cached_n));
    if (s.expected_cached > 0) {
      double share = s.cached_n / s.expected_cached;
      out.reused_share_min = std::min(out.reused_share_min.value_or(HUGE_VAL), share);
    }
  }
  SummariseTtft(out, Values(r, rows, &Ttft));
  out.prefill_ms_p50 = Median(Values(r, rows, &Prefill));
  out.total_ms_p50 = Median(Values(r, rows, &Total));
  if (auto per_token = Median(Values(r, rows, decode)); per_token && *per_token > 0) {
    out.decode_tokens_per_s = 1000 / *per_token;
  }
  return out;
}

std::optional<double> MedianOverOn(const ReportView& r, double (*get)(const SampleView&)) {
  std::vector<double> values;
  for (std::size_t i : r.on) {
    const SampleView& s = r.at(i);
    if (!s.ok() || !Has(s.prompt_tokens) || !Has(s.cached_n) || s.prompt_tokens <= 0) continue;
    double v = get(s);
    if (std::isfinite(v)) values.push_back(v);
  }
  return Median(std::move(values));
}

template <typename T>
void Put(Json& out, const char* name, const std::optional<T>& value) {
  out[name] = OrNull(value);
}

void PutRatio(Json& out, const char* name, const std::optional<PairedRatio>& ratio) {
  out[name] = ratio ? ratio->ToJson() : Json(nullptr);
}

}  // namespace

Json ArmSummary::ToJson() const {
  Json out{{"n", n}, {"failed", failed}};
  Put(out, "cached_max", cached_max);
  Put(out, "reused_share_min", reused_share_min);
  Put(out, "ttft_ms_p50", ttft_ms_p50);
  Put(out, "ttft_ms_p95", ttft_ms_p95);
  out["p95_is_max"] = p95_is_max;
  Put(out, "prefill_ms_p50", prefill_ms_p50);
  Put(out, "total_ms_p50", total_ms_p50);
  Put(out, "decode_tokens_per_s", decode_tokens_per_s);
  Put(out, "ttft_ms_p50_low", ttft_ms_p50_low);
  Put(out, "ttft_ms_p50_high", ttft_ms_p50_high);
  Put(out, "ttft_ms_p95_high", ttft_ms_p95_high);
  out["severe_outliers"] = severe_outliers;
  return out;
}

Json TimeSeries::ToJson() const {
  Json out{{"n", n},   {"drift_log", drift_log},     {"kendall_p", kendall_p},
           {"r1", r1}, {"ljung_box_p", ljung_box_p}, {"effective_n", effective_n}};
  Put(out, "order_p", order_p);
  Put(out, "order_effect", order_effect);
  Put(out, "change_point_p", change_point_p);
  Put(out, "change_point_after", change_point_after);
  return out;
}

const std::optional<PairedRatio>& Statistics::ForMetric(const std::string& metric) const {
  if (metric == "prefill" || metric == "prompt_ms") return prefill;
  if (metric == "total" || metric == "end_to_end" || metric == "e2e") return end_to_end;
  return ttft;
}

Json Statistics::ToJson() const {
  Json out;
  PutRatio(out, "prefill_ratio", prefill);
  PutRatio(out, "end_to_end_ratio", end_to_end);
  PutRatio(out, "ttft_ratio", ttft);
  PutRatio(out, "decode_ratio", decode);
  PutRatio(out, "a_a_ratio", a_a);
  Put(out, "noise_floor", noise_floor);
  Put(out, "skip_bound", skip_bound);
  Put(out, "skipped_share", skipped_share);
  out["off"] = off.ToJson();
  out["on"] = on.ToJson();
  out["series"] = series.ToJson();
  out["bootstrap_seed"] = bootstrap_seed;
  out["alpha"] = alpha;
  return out;
}

Statistics StatisticsOf(const ReportView& r, const StatisticsOptions& options) {
  BootstrapSettings bootstrap = options.bootstrap;
  bootstrap.alpha = AlphaOfPlan(r.Plan());
  Statistics out;
  out.alpha = bootstrap.alpha;
  out.bootstrap_seed = bootstrap.seed;
  // The server's decode times as soon as one call has them: a call without one is then missing, not timed by
  // another clock.
  bool server_decode = std::any_of(r.pairs.begin(), r.pairs.end(), [&](const auto& p) {
    return Has(r.at(p.off).predicted_ms) || Has(r.at(p.on).predicted_ms);
  });
  Getter decode = server_decode ? &ServerDecode : &ClientDecode;
  out.prefill = Ratio(r, &Prefill, bootstrap);
  out.end_to_end = Ratio(r, &Total, bootstrap);
  out.ttft = Ratio(r, &Ttft, bootstrap);
  out.decode = Ratio(r, decode, {bootstrap.seed, 0});
  out.a_a = NoiseRatio(r, {bootstrap.seed, 0});
  if (out.a_a && out.a_a->ratio.has_interval) {
    out.noise_floor = std::sqrt(out.a_a->ratio.ci_high / out.a_a->ratio.ci_low);
  }
  out.skip_bound =
      MedianOverOn(r, [](const SampleView& s) { return s.prompt_tokens / (s.prompt_tokens - s.cached_n); });
  out.skipped_share = MedianOverOn(r, [](const SampleView& s) { return s.cached_n / s.prompt_tokens; });
  out.off = Summarise(r, r.off, decode);
  out.on = Summarise(r, r.on, decode);
  out.series = SeriesOf(r, options.permutations, bootstrap.seed);
  return out;
}

}  // namespace helix::analysis
