#include "core/analysis/golden/boundaries.h"

namespace helix::analysis {

const std::vector<Boundary>& Boundaries() {
  static const std::vector<Boundary> all = [] {
    std::vector<Boundary> out;
    for (auto group : {&CounterBoundaries, &ClockBoundaries, &StatisticsBoundaries, &AnswerBoundaries}) {
      for (auto& boundary : group()) out.push_back(boundary);
    }
    return out;
  }();
  return all;
}

Json BoundaryReport(const Boundary& boundary, double value) {
  Json report = GoldenReport();
  boundary.make(report, value);
  SealReport(report, boundary.seal);
  return report;
}

}  // namespace helix::analysis
