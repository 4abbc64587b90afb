#include "core/analysis/residuals.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/quantile.h"
#include "core/analysis/series.h"

namespace helix::analysis {
namespace {

using Getter = double (*)(const SampleView&);

Getter MetricOf(const ReportView& r) {
  for (Getter get :
       {+[](const SampleView& s) { return s.ttft_ns; }, +[](const SampleView& s) { return s.prompt_ms; },
        +[](const SampleView& s) { return s.total_ns; }}) {
    bool all = std::all_of(r.sequence.begin(), r.sequence.end(), [&](std::size_t i) {
      double v = get(r.at(i));
      return std::isfinite(v) && v > 0;
    });
    if (all) return get;
  }
  return nullptr;
}

bool OffFirst(const ReportView& r, const ReportView::Pair& pair) {
  return r.at(pair.off).seq < r.at(pair.on).seq;
}

// How much longer, in logs, the second call of a pair takes: half the difference of the two orders' medians.
double SecondCallEffect(const ReportView& r, Getter get) {
  std::vector<double> off_first;
  std::vector<double> on_first;
  for (const auto& pair : r.pairs) {
    double d = std::log(get(r.at(pair.off)) / get(r.at(pair.on)));
    (OffFirst(r, pair) ? off_first : on_first).push_back(d);
  }
  auto a = Median(std::move(off_first));
  auto b = Median(std::move(on_first));
  return a && b ? (*b - *a) / 2 : 0;
}

std::vector<bool> SecondCalls(const ReportView& r) {
  std::vector<bool> second(r.samples.size(), false);
  for (const auto& pair : r.pairs) second[OffFirst(r, pair) ? pair.on : pair.off] = true;
  return second;
}

std::vector<double> Thin(const std::vector<double>& x) {
  if (x.size() <= kSeriesLimit) return x;
  std::size_t block = (x.size() + kSeriesLimit - 1) / kSeriesLimit;
  std::vector<double> out;
  for (std::size_t i = 0; i < x.size(); i += block) {
    auto end = std::min(i + block, x.size());
    out.push_back(
        *Median({x.begin() + static_cast<std::ptrdiff_t>(i), x.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return out;
}

void FillOrderEffect(const ReportView& r, Getter get, TimeSeries& out) {
  std::vector<double> d;
  std::vector<bool> off_first;
  for (const auto& pair : r.pairs) {
    d.push_back(std::log(get(r.at(pair.off)) / get(r.at(pair.on))));
    off_first.push_back(OffFirst(r, pair));
  }
  if (auto crossover = CrossoverOf(d, off_first)) {
    out.order_p = crossover->p;
    out.order_effect = -crossover->period;
  }
}

}  // namespace

std::vector<double> ResidualsOf(const ReportView& r) {
  Getter get = MetricOf(r);
  if (get == nullptr || r.sequence.size() < 3) return {};
  double effect = SecondCallEffect(r, get);
  std::vector<bool> second = SecondCalls(r);
  std::vector<double> logs;
  std::vector<double> arm[2];
  for (std::size_t i : r.sequence) {
    logs.push_back(std::log(get(r.at(i))) - (second[i] ? effect : 0));
    arm[r.at(i).arm == Arm::kOn ? 1 : 0].push_back(logs.back());
  }
  double middle[2] = {Median(arm[0]).value_or(0), Median(arm[1]).value_or(0)};
  for (std::size_t k = 0; k < logs.size(); ++k)
    logs[k] -= middle[r.at(r.sequence[k]).arm == Arm::kOn ? 1 : 0];
  return logs;
}

TimeSeries SeriesOf(const ReportView& r, int permutations, std::uint64_t seed) {
  TimeSeries out;
  std::vector<double> x = ResidualsOf(r);
  out.n = x.size();
  if (x.empty()) return out;
  FillOrderEffect(r, MetricOf(r), out);
  if (auto r1 = Autocorrelation(x, 1)) out.r1 = *r1;
  if (auto box = LjungBoxOf(x)) out.ljung_box_p = box->p;
  auto n = static_cast<double>(x.size());
  out.effective_n = std::min(n, n * (1 - out.r1) / (1 + out.r1));
  std::vector<double> thin = Thin(x);
  if (auto kendall = MannKendallOf(thin)) out.kendall_p = kendall->p;
  if (auto slope = TheilSenSlope(thin)) out.drift_log = *slope * static_cast<double>(thin.size());
  if (thin.size() >= 20) {
    if (auto change = CusumChangePoint(thin, permutations, seed)) {
      out.change_point_p = change->p;
      out.change_point_after = change->after;
    }
  }
  return out;
}

}  // namespace helix::analysis
