// Reports on both sides of every threshold of the catalogue: one step inside it the check is silent, one step
// beyond it speaks. All numbers are synthetic.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/golden/golden.h"

namespace helix::analysis {

struct Boundary {
  const char* row;
  const char* code;
  const char* name;  // unique; also the file's name
  void (*make)(Json& report, double value);
  double
      inside;  // the last value without the finding, or one close to it where noise is part of the threshold
  double beyond;  // the first value with it
  unsigned seal = kSealAll;
};

const std::vector<Boundary>& Boundaries();
// The golden-good report with `value` in it, sealed as the boundary says.
Json BoundaryReport(const Boundary& boundary, double value);

std::vector<Boundary> CounterBoundaries();
std::vector<Boundary> ClockBoundaries();
std::vector<Boundary> StatisticsBoundaries();
std::vector<Boundary> AnswerBoundaries();

}  // namespace helix::analysis
