// The verdict as a pure function of what was found. It knows nothing of reports.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/finding.h"
#include "core/analysis/paired_ratio.h"

namespace helix::analysis {

enum class Verdict { kPass, kFail, kInconclusive, kSkip };
// "PASS", "FAIL", "INCONCLUSIVE", "SKIP".
const char* VerdictName(Verdict verdict);

// Fewer pairs than this decide nothing.
inline constexpr std::size_t kMinimumPairs = 10;
// An interval inside [1/1.05, 1.05] is "no practical difference".
inline constexpr double kPracticalRatio = 1.05;

struct VerdictFacts {
  bool skipped = false;    // the report is a SKIP and holds no result
  bool synthetic = false;  // stub numbers
  bool any_fail = false;
  std::vector<std::string> inconclusive;  // codes of severity inconclusive
  std::vector<std::string> unchecked;     // rows that were not checkable and may not be missing
  std::optional<PairedRatio> ratio;       // of the metric the plan names
};

struct Decision {
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;     // one sentence
  std::string direction;  // "faster", "slower", "no_practical_difference"; empty when nothing is decided
};

Decision Decide(const VerdictFacts& facts);

}  // namespace helix::analysis
