#include "core/equivalence/statistical_run.h"

namespace helix::equivalence {
namespace {

Outcome OutcomeOf(const ArmOutput& output) {
  if (output.has_token_ids) return output.tokens;
  Outcome out;
  for (const char c : output.text) out.push_back(static_cast<unsigned char>(c));
  return out;
}

Result<PromptRepeats> Repeat(ArmRunner& runner, const ShapeCase& shape, int repeats) {
  PromptRepeats out;
  for (int i = 0; i < repeats; ++i) {
    auto uncached = runner.Ask(shape.prompt, false, shape.output_tokens);
    if (!uncached) return tl::make_unexpected(std::move(uncached.error()));
    out.uncached.push_back(OutcomeOf(uncached->output));
    HELIX_TRY(runner.Prime(shape.prime));
    auto cached = runner.Ask(shape.prompt, true, shape.output_tokens);
    if (!cached) return tl::make_unexpected(std::move(cached.error()));
    out.cached.push_back(OutcomeOf(cached->output));
  }
  return out;
}

}  // namespace

Result<AgreementResult> RunStatistical(ArmRunner& runner, PromptSource& source, const StatisticalPlan& plan,
                                       std::uint64_t seed) {
  std::vector<PromptRepeats> prompts;
  for (int i = 0; i < plan.prompts; ++i) {
    const ShapeCase shape = PrefixExtension(source, plan.length, 16, plan.output_tokens);
    auto repeats = Repeat(runner, shape, plan.repeats);
    if (!repeats) return tl::make_unexpected(std::move(repeats.error()));
    prompts.push_back(*std::move(repeats));
  }
  return TestAgreement(prompts, AgreementMeasure::kPositions, seed);
}

std::int64_t TokensNeeded(const StatisticalPlan& plan) {
  return plan.prompts * (plan.length + 16);
}

}  // namespace helix::equivalence
