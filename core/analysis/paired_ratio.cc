#include "core/analysis/paired_ratio.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/bootstrap.h"
#include "core/analysis/detectable.h"
#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/analysis/signed_rank.h"

namespace helix::analysis {
namespace {

bool Positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v) && v > 0; });
}

RatioInterval HeadlineOf(const std::vector<double>& logs) {
  RatioInterval out;
  auto hl = HodgesLehmannOf(logs);
  out.value = std::exp(hl->estimate);
  out.has_interval = hl->has_interval;
  if (out.has_interval) {
    out.ci_low = std::exp(hl->low);
    out.ci_high = std::exp(hl->high);
  }
  return out;
}

RatioInterval GeometricMeanOf(const std::vector<double>& logs, double sd) {
  RatioInterval out;
  auto n = static_cast<double>(logs.size());
  double mean = Mean(logs);
  out.value = std::exp(mean);
  if (logs.size() < 2) return out;
  double half = StudentQuantile(0.975, n - 1) * sd / std::sqrt(n);
  out.has_interval = true;
  out.ci_low = std::exp(mean - half);
  out.ci_high = std::exp(mean + half);
  return out;
}

RatioInterval RatioOfMediansOf(const std::vector<double>& off, const std::vector<double>& on,
                               const BootstrapSettings& settings) {
  RatioInterval out;
  out.value = *Median(off) / *Median(on);
  if (auto interval = BootstrapRatioOfMedians(off, on, settings.seed, settings.replicates)) {
    out.has_interval = true;
    out.ci_low = interval->first;
    out.ci_high = interval->second;
  }
  return out;
}

bool Disagree(const PairedRatio& r) {
  double low = r.ratio.value;
  double high = low;
  for (const auto& other : {r.ratio_of_medians, r.geometric_mean}) {
    if (!other) continue;
    low = std::min(low, other->value);
    high = std::max(high, other->value);
  }
  return high > 1.05 * low;
}

}  // namespace

Json RatioInterval::ToJson() const {
  Json out;
  out["value"] = value;
  out["ci_low"] = has_interval ? Json(ci_low) : Json(nullptr);
  out["ci_high"] = has_interval ? Json(ci_high) : Json(nullptr);
  return out;
}

Json PairedRatio::ToJson() const {
  Json out = ratio.ToJson();
  out["pairs"] = pairs;
  out["ratio_of_medians"] = ratio_of_medians ? ratio_of_medians->ToJson() : Json(nullptr);
  out["geometric_mean"] = geometric_mean ? geometric_mean->ToJson() : Json(nullptr);
  out["estimators_disagree"] = estimators_disagree;
  out["sd_log"] = sd_log;
  out["p_wilcoxon"] = p_wilcoxon ? Json(*p_wilcoxon) : Json(nullptr);
  out["minimum_detectable"] = minimum_detectable ? Json(*minimum_detectable) : Json(nullptr);
  return out;
}

std::optional<PairedRatio> PairedRatioOf(const std::vector<double>& off, const std::vector<double>& on,
                                         const BootstrapSettings& bootstrap) {
  if (off.empty() || off.size() != on.size() || !Positive(off) || !Positive(on)) return std::nullopt;
  std::vector<double> logs(off.size());
  for (std::size_t i = 0; i < off.size(); ++i) logs[i] = std::log(off[i] / on[i]);
  PairedRatio out;
  out.pairs = logs.size();
  out.ratio = HeadlineOf(logs);
  out.sd_log = StandardDeviation(logs).value_or(0);
  out.geometric_mean = GeometricMeanOf(logs, out.sd_log);
  if (bootstrap.replicates > 0 && logs.size() <= kBootstrapPairs) {
    out.ratio_of_medians = RatioOfMediansOf(off, on, bootstrap);
  }
  out.estimators_disagree = Disagree(out);
  if (auto test = WilcoxonSignedRank(logs)) out.p_wilcoxon = test->p;
  out.minimum_detectable = MinimumDetectableRatio(out.sd_log, out.pairs);
  return out;
}

}  // namespace helix::analysis
