#include "core/equivalence/statistical_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/equivalence/oracle.h"
#include "core/equivalence/oracle_report.h"
#include "tests/fakes/lying_backend.h"

namespace helix::equivalence {
namespace {

using fakes::ToyBackend;
using fakes::ToyOptions;

StatisticalResult Repeat(const ToyOptions& toy, int* steps = nullptr) {
  ToyBackend backend(toy);
  const RunContext context;
  ArmRunner runner(backend, {}, context);
  const StatisticalPlan plan{6, 3, 16, 24};
  auto source = PromptSource::Make(backend, 1, TokensNeeded(plan), context).value();
  return RunStatistical(runner, source, plan, 1,
                        [steps](int) {
                          if (steps != nullptr) ++*steps;
                        })
      .value();
}

TEST(StatisticalRun, AsksBothArmsAsOftenAndProvesThemByTheCounter) {
  int steps = 0;
  const StatisticalResult result = Repeat({}, &steps);
  EXPECT_EQ(steps, 6);
  EXPECT_EQ(result.answers, 36);
  EXPECT_EQ(result.unproven, 0);
  EXPECT_NEAR(result.agreement.uncached_self, 1, 1e-12);
  EXPECT_EQ(StatisticalSentence(result).rfind("no difference detected", 0), 0U);
}

TEST(StatisticalRun, FindsACacheThatChangesAnswers) {
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kWrongSlot;
  const StatisticalResult result = Repeat(toy);
  EXPECT_LT(result.agreement.p_value, 0.05);
  EXPECT_EQ(StatisticalSentence(result).rfind("a difference was detected", 0), 0U);
}

TEST(StatisticalRun, ComparesTextsWhereThereAreNoTokenIds) {
  ToyOptions toy;
  toy.no_token_ids = true;
  EXPECT_NEAR(Repeat(toy).agreement.cross, 1, 1e-12);
  toy.mutant = fakes::ToyMutant::kWrongSlot;
  EXPECT_LT(Repeat(toy).agreement.cross, 0.9);
}

TEST(StatisticalRun, SaysNothingOfArmsThatTheCounterDenies) {
  ToyOptions toy;
  toy.ignores_the_switch = true;
  const StatisticalResult result = Repeat(toy);
  EXPECT_GT(result.unproven, 0);
  EXPECT_EQ(StatisticalSentence(result).rfind("no statement on the arms", 0), 0U);
  EXPECT_EQ(ToJson(result)["unproven"], result.unproven);
}

OracleOptions Small() {
  OracleOptions out = QuickOptions();
  out.shapes.length = 48;
  out.shapes.output_tokens = 16;
  out.shapes.boundaries = {16};
  out.conversation.output_tokens = 16;
  out.statistical = {4, 2, 16, 24};
  return out;
}

// Whatever such a server does: nothing that is printed can say that the arms are identical.
TEST(StatisticalRun, NeverPrintsIdenticalWhereAnswersCannotBeCompared) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const bool ids : {true, false}) {
      for (const bool wrong : {true, false}) {
        ToyOptions toy;
        toy.seed = seed;
        toy.fresh_is_noisy = ids || seed % 2 == 0;
        toy.no_token_ids = !ids;
        if (wrong) toy.mutant = fakes::ToyMutant::kCorruptedRow;
        ToyBackend backend(toy);
        const auto identity = backend.Identify({}).value();
        const auto result = RunOracle(backend, identity, Small(), {});
        ASSERT_TRUE(result) << result.error().Text();
        ASSERT_TRUE(result->statistical);
        EXPECT_EQ(result->verdict, "INCONCLUSIVE");
        const Json json = ResultJson(*result, Small());
        EXPECT_EQ(json["statistical"]["prompts"], 4);
        std::string printed =
            ResultText(json) + DumpJson(json) + DumpJson(RecordJson(*result, Small(), identity));
        std::transform(printed.begin(), printed.end(), printed.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        EXPECT_EQ(printed.find("identical"), std::string::npos) << printed;
        EXPECT_NE(printed.find("repeats:"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace helix::equivalence
