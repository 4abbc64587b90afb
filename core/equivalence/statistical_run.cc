#include "core/equivalence/statistical_run.h"

#include <fmt/format.h>

namespace helix::equivalence {
namespace {

constexpr std::int64_t kQuestion = 16;

Outcome OutcomeOf(const ArmOutput& output) {
  if (output.has_token_ids) return output.tokens;
  Outcome out;
  for (const char c : output.text) out.push_back(static_cast<unsigned char>(c));
  return out;
}

class Repeater {
 public:
  Repeater(ArmRunner& runner, StatisticalResult& result) : runner_(runner), result_(result) {}

  Result<PromptRepeats> Repeat(const ShapeCase& shape, int repeats) {
    PromptRepeats out;
    for (int i = 0; i < repeats; ++i) {
      auto uncached = Ask(shape, false);
      if (!uncached) return tl::make_unexpected(std::move(uncached.error()));
      out.uncached.push_back(*std::move(uncached));
      HELIX_TRY(runner_.Prime(shape.prime));
      auto cached = Ask(shape, true);
      if (!cached) return tl::make_unexpected(std::move(cached.error()));
      out.cached.push_back(*std::move(cached));
    }
    return out;
  }

 private:
  Result<Outcome> Ask(const ShapeCase& shape, bool use_cache) {
    auto answer = runner_.Ask(shape.prompt, use_cache, shape.output_tokens);
    if (!answer) return tl::make_unexpected(std::move(answer.error()));
    const auto reused = answer->output.cached_tokens;
    ++result_.answers;
    result_.unproven += reused && (*reused > 0) == use_cache ? 0 : 1;
    return OutcomeOf(answer->output);
  }

  ArmRunner& runner_;
  StatisticalResult& result_;
};

}  // namespace

Result<StatisticalResult> RunStatistical(ArmRunner& runner, PromptSource& source, const StatisticalPlan& plan,
                                         std::uint64_t seed, const std::function<void(int)>& step) {
  StatisticalResult out;
  Repeater repeater(runner, out);
  std::vector<PromptRepeats> prompts;
  for (int i = 0; i < plan.prompts; ++i) {
    step(i + 1);
    const ShapeCase shape = PrefixExtension(source, plan.length, kQuestion, plan.output_tokens);
    auto repeats = repeater.Repeat(shape, plan.repeats);
    if (!repeats) return tl::make_unexpected(std::move(repeats.error()));
    prompts.push_back(*std::move(repeats));
  }
  auto agreement = TestAgreement(prompts, AgreementMeasure::kPositions, seed);
  if (!agreement) return tl::make_unexpected(std::move(agreement.error()));
  out.agreement = *std::move(agreement);
  return out;
}

std::int64_t TokensNeeded(const StatisticalPlan& plan) {
  return plan.prompts * (plan.length + kQuestion);
}

std::string StatisticalSentence(const StatisticalResult& result) {
  if (result.unproven == 0) return AgreementSentence(result.agreement);
  return fmt::format(
      "no statement on the arms: in {} of {} answers the counter does not say what the arm is called",
      result.unproven, result.answers);
}

Json ToJson(const StatisticalResult& result) {
  Json out = ToJson(result.agreement);
  out["answers"] = result.answers;
  out["unproven"] = result.unproven;
  out["sentence"] = StatisticalSentence(result);
  return out;
}

}  // namespace helix::equivalence
