#include "core/analysis/verdict.h"

namespace helix::analysis {
namespace {

std::string Join(const std::vector<std::string>& items) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

// What the interval says, whatever else holds.
std::string DirectionOf(const RatioInterval& r) {
  if (!r.has_interval) return {};
  if (r.ci_low > 1) return "faster";
  if (r.ci_high < 1) return "slower";
  if (r.ci_low >= 1 / kPracticalRatio && r.ci_high <= kPracticalRatio) return "no_practical_difference";
  return {};
}

}  // namespace

const char* VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "PASS";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kInconclusive:
      return "INCONCLUSIVE";
    case Verdict::kSkip:
      return "SKIP";
  }
  return "INCONCLUSIVE";
}

Decision Decide(const VerdictFacts& facts) {
  if (facts.any_fail) return {Verdict::kFail, "at least one check of severity fail raised a finding", {}};
  if (facts.skipped) return {Verdict::kSkip, "nothing was measured", {}};
  if (!facts.inconclusive.empty()) {
    return {Verdict::kInconclusive, "not decidable from this report: " + Join(facts.inconclusive), {}};
  }
  if (!facts.ratio || facts.ratio->pairs < kMinimumPairs || !facts.ratio->ratio.has_interval) {
    return {Verdict::kInconclusive, "fewer than " + std::to_string(kMinimumPairs) + " finished pairs", {}};
  }
  std::string direction = DirectionOf(facts.ratio->ratio);
  if (facts.synthetic) {
    return {Verdict::kInconclusive, "the numbers are synthetic (a stub made them); they can never pass",
            direction};
  }
  if (!facts.unchecked.empty()) {
    return {Verdict::kInconclusive, "these checks lack a field they need: " + Join(facts.unchecked),
            direction};
  }
  if (direction.empty()) {
    return {
        Verdict::kInconclusive, "the interval holds 1 and reaches beyond 1.05: more pairs are needed", {}};
  }
  if (direction == "faster") return {Verdict::kPass, "the whole interval is above 1", direction};
  if (direction == "slower") return {Verdict::kPass, "the whole interval is below 1", direction};
  return {Verdict::kPass, "the whole interval is within 5 % of 1", direction};
}

}  // namespace helix::analysis
