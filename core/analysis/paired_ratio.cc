#include "core/analysis/paired_ratio.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/bootstrap.h"
#include "core/analysis/detectable.h"
#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/analysis/sign_flip.h"
#include "core/analysis/signed_rank.h"
#include "core/analysis/two_sample.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

bool Positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v) && v > 0; });
}

RatioInterval HeadlineOf(const std::vector<double>& logs, double alpha) {
  RatioInterval out;
  auto hl = HodgesLehmannOf(logs, alpha);
  out.value = std::exp(hl->estimate);
  out.has_interval = hl->has_interval;
  if (out.has_interval) {
    out.ci_low = std::exp(hl->low);
    out.ci_high = std::exp(hl->high);
  }
  return out;
}

RatioInterval GeometricMeanOf(const std::vector<double>& logs, std::optional<double> sd) {
  RatioInterval out;
  auto n = static_cast<double>(logs.size());
  double mean = Mean(logs);
  out.value = std::exp(mean);
  if (!sd) return out;
  double half = StudentQuantile(0.975, n - 1) * *sd / std::sqrt(n);
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
  out["ratio_of_means"] = ratio_of_means ? ratio_of_means->ToJson() : Json(nullptr);
  out["sd_log"] = OrNull(sd_log);
  out["p_wilcoxon"] = OrNull(p_wilcoxon);
  out["p_sign_flip"] = OrNull(p_sign_flip);
  out["p_mann_whitney"] = OrNull(p_mann_whitney);
  out["common_language"] = OrNull(common_language);
  out["minimum_detectable"] = OrNull(minimum_detectable);
  return out;
}

std::optional<RatioInterval> RatioOfMeansOf(const std::vector<double>& off, const std::vector<double>& on) {
  if (off.empty() || off.size() != on.size() || !Positive(off) || !Positive(on)) return std::nullopt;
  double m = Mean(on);
  double m_off = Mean(off);
  RatioInterval out;
  out.value = m_off / m;
  auto sd = StandardDeviation(on);
  auto sd_off = StandardDeviation(off);
  if (!sd || !sd_off) return out;
  auto n = static_cast<double>(on.size());
  double t = StudentQuantile(0.975, n - 1) / std::sqrt(n);
  double h = t * *sd;
  double h_off = t * *sd_off;
  double below = m * m - h * h;
  double root = m * m_off * m * m_off - below * (m_off * m_off - h_off * h_off);
  if (below <= 0 || root < 0) return out;
  out.has_interval = true;
  out.ci_low = (m * m_off - std::sqrt(root)) / below;
  out.ci_high = (m * m_off + std::sqrt(root)) / below;
  return out;
}

std::optional<PairedRatio> PairedRatioOf(const std::vector<double>& off, const std::vector<double>& on,
                                         const BootstrapSettings& bootstrap) {
  if (off.empty() || off.size() != on.size() || !Positive(off) || !Positive(on)) return std::nullopt;
  std::vector<double> logs(off.size());
  for (std::size_t i = 0; i < off.size(); ++i) logs[i] = std::log(off[i] / on[i]);
  // Sorted once: the estimate, the tests and the moments do not depend on the order of the pairs.
  std::sort(logs.begin(), logs.end());
  PairedRatio out;
  out.pairs = logs.size();
  out.ratio = HeadlineOf(logs, bootstrap.alpha);
  out.sd_log = StandardDeviation(logs);
  out.geometric_mean = GeometricMeanOf(logs, out.sd_log);
  if (bootstrap.replicates > 0 && logs.size() <= kBootstrapPairs) {
    out.ratio_of_medians = RatioOfMediansOf(off, on, bootstrap);
  }
  out.estimators_disagree = Disagree(out);
  out.ratio_of_means = RatioOfMeansOf(off, on);
  if (auto test = WilcoxonSignedRank(logs)) out.p_wilcoxon = test->p;
  if (bootstrap.replicates > 0 && logs.size() <= kBootstrapPairs) {
    out.p_sign_flip = SignFlipP(logs, bootstrap.seed);
    if (auto test = MannWhitneyOf(off, on)) {
      out.p_mann_whitney = test->p;
      out.common_language = test->common_language;
    }
  }
  if (out.sd_log)
    out.minimum_detectable = MinimumDetectableRatio(*out.sd_log, out.pairs, 0.8, bootstrap.alpha);
  return out;
}

}  // namespace helix::analysis
