#include "core/equivalence/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"
#include "core/equivalence/relabeling.h"

namespace helix::equivalence {
namespace {

constexpr std::size_t kPositionsCompared = 64;
constexpr std::size_t kEditsCompared = 256;
constexpr std::size_t kMostRepeats = 9;  // 48,620 ways to label 18 answers
constexpr int kBootstraps = 2'000;
// z(0.975) + z(0.8): a difference of this many standard errors is found with 80 % power.
constexpr double kPowerFactor = 2.802;

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Prompts are the independent units; their repeats are not.
double BootstrapLow(const std::vector<double>& differences, std::uint64_t seed) {
  SplitMix64 random(seed ^ 0x5bd1e995);
  std::vector<double> means;
  for (int i = 0; i < kBootstraps; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < differences.size(); ++j) sum += differences[random.Below(differences.size())];
    means.push_back(sum / static_cast<double>(differences.size()));
  }
  std::sort(means.begin(), means.end());
  return means[kBootstraps / 20 - 1];
}

// Where all prompts show the same difference the spread says nothing; then what no event in so many prompts
// excludes.
double Detectable(const std::vector<double>& differences) {
  const auto n = static_cast<double>(differences.size());
  const double mean = Mean(differences);
  double squares = 0;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  const double by_count = 1 - std::pow(0.05, 1 / n);
  if (n < 2) return 1;
  return std::max(by_count / n, squares == 0 ? by_count : kPowerFactor * std::sqrt(squares / (n - 1) / n));
}

double EditAgreement(const Outcome& a, const Outcome& b) {
  const std::size_t rows = std::min(kEditsCompared, a.size());
  const std::size_t columns = std::min(kEditsCompared, b.size());
  if (std::max(rows, columns) == 0) return 1;
  std::vector<std::size_t> above(columns + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= rows; ++i) {
    std::vector<std::size_t> row = {i};
    for (std::size_t j = 1; j <= columns; ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row.push_back(std::min({replaced, above[j] + 1, row[j - 1] + 1}));
    }
    above = std::move(row);
  }
  return 1 - static_cast<double>(above[columns]) / static_cast<double>(std::max(rows, columns));
}

Status Check(const std::vector<PromptRepeats>& prompts) {
  if (prompts.empty()) return Fail(ErrorCode::kInvalidArgument, "no prompt was repeated in both arms");
  const std::size_t repeats = prompts.front().uncached.size();
  for (const PromptRepeats& prompt : prompts) {
    if (repeats < 2 || repeats > kMostRepeats || prompt.uncached.size() != repeats ||
        prompt.cached.size() != repeats) {
      return Fail(ErrorCode::kInvalidArgument,
                  "each prompt needs the same number of repeats in both arms, 2 to 9");
    }
  }
  return {};
}

}  // namespace

double Agreement(const Outcome& a, const Outcome& b, AgreementMeasure measure) {
  if (measure == AgreementMeasure::kWhole) return a == b ? 1 : 0;
  if (measure == AgreementMeasure::kEdits) return EditAgreement(a, b);
  const std::size_t n = std::min(kPositionsCompared, std::max(a.size(), b.size()));
  if (n == 0) return 1;
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min({n, a.size(), b.size()}); ++i) same += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(n);
}

Result<AgreementResult> TestAgreement(const std::vector<PromptRepeats>& prompts, AgreementMeasure measure,
                                      std::uint64_t seed) {
  HELIX_TRY(Check(prompts));
  AgreementResult out;
  out.prompts = prompts.size();
  out.repeats = prompts.front().uncached.size();
  out.large_enough = out.prompts >= 25 && out.repeats >= 4;
  std::vector<Pairwise> pairwise;
  std::vector<double> differences;
  double sum = 0;
  for (const PromptRepeats& prompt : prompts) {
    pairwise.push_back(ComparePairs(prompt, measure));
    const AgreementMeans means = ObservedMeans(pairwise.back());
    out.uncached_self += means.self_a / static_cast<double>(out.prompts);
    out.cached_self += means.self_b / static_cast<double>(out.prompts);
    out.cross += means.cross / static_cast<double>(out.prompts);
    differences.push_back(means.cross - means.self_a);
    sum += means.WithinMinusAcross();
  }
  out.statistic = sum / static_cast<double>(out.prompts);
  const RelabelingResult test = TestRelabelings(pairwise, sum, seed);
  out.p_value = test.p_value;
  out.relabelings = test.relabelings;
  out.exact = test.exact;
  out.difference_low = BootstrapLow(differences, seed);
  out.non_inferior = out.difference_low > -out.margin;
  out.detectable = Detectable(differences);
  return out;
}

std::string AgreementSentence(const AgreementResult& result) {
  std::string out = result.p_value < 0.05
                        ? fmt::format("a difference was detected (p = {:.4f})", result.p_value)
                        : std::string("no difference detected");
  out += fmt::format(", self-agreement {:.2f}, cross-agreement {:.2f}, detectable difference {:.2f}; ",
                     result.uncached_self, result.cross, result.detectable);
  // Answers that agree by less than the margin anyway cannot agree less by it.
  if (result.uncached_self <= 2 * result.margin) {
    out += "uncached answers hardly agree with each other: a wrong cache would not show";
    return out;
  }
  out += result.non_inferior
             ? fmt::format(
                   "cached answers agree with uncached ones at most {:.2f} less than those with each other",
                   result.margin)
             : fmt::format("that cached answers agree at most {:.2f} less is not shown (bound {:.2f})",
                           result.margin, result.difference_low);
  if (!result.large_enough) {
    out +=
        fmt::format("; {} prompts of {} repeats are few, 25 of 4 are needed", result.prompts, result.repeats);
  }
  return out;
}

Json ToJson(const AgreementResult& result) {
  return {{"prompts", result.prompts},
          {"repeats", result.repeats},
          {"uncached_self_agreement", result.uncached_self},
          {"cached_self_agreement", result.cached_self},
          {"cross_agreement", result.cross},
          {"statistic", result.statistic},
          {"p_value", result.p_value},
          {"relabelings", result.relabelings},
          {"exact", result.exact},
          {"margin", result.margin},
          {"difference_low", result.difference_low},
          {"non_inferior", result.non_inferior},
          {"detectable_difference", result.detectable},
          {"large_enough", result.large_enough},
          {"sentence", AgreementSentence(result)}};
}

}  // namespace helix::equivalence
