// The checker, checked: every golden report through the checks, before anybody trusts them. All numbers in it
// are synthetic.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::analysis {

struct SelfcheckFailure {
  std::string report;
  std::vector<std::string> expected;
  std::vector<std::string> seen;
  std::string why;
};

struct SelfcheckResult {
  std::size_t good = 0;    // golden-good reports judged
  std::size_t bad = 0;     // golden-bad reports judged
  std::size_t checks = 0;  // checks in the catalogue
  std::size_t rows = 0;    // rows of the catalogue
  std::size_t rows_with_report = 0;
  std::size_t boundaries = 0;  // thresholds tried on both sides
  std::vector<SelfcheckFailure> failures;

  [[nodiscard]] bool passed() const { return failures.empty(); }
  // {verdict, good, bad, checks, rows, rows_with_report, boundaries, failures, notice}; verdict is PASS or
  // FAIL.
  [[nodiscard]] Json ToJson() const;
};

// `disabled` leaves one check out ("C04:total_lt_ttft"), to prove that the self-check notices.
SelfcheckResult RunSelfcheck(const std::string& disabled = {});

}  // namespace helix::analysis
