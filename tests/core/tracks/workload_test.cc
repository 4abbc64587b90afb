// Traffic, sweep and replay on the stub backend, and what they say of a server that lies. The stub is a fake.
#include "core/tracks/workload/workload.h"

#include <gtest/gtest.h>

#include "core/backend/stub.h"
#include "core/base/json_fields.h"
#include "core/tracks/workload/replay.h"
#include "core/tracks/workload/sweep.h"
#include "core/tracks/workload/traffic_run.h"
#include "tests/support/paths.h"

namespace helix::tracks {
namespace {

using backend::Stub;
using backend::StubFaults;
using backend::StubOptions;

Target StubTarget(StubFaults faults = {}) {
  StubOptions options;
  options.faults = std::move(faults);
  Target target;
  target.backend = std::make_unique<Stub>(options);
  target.identity = *target.backend->Identify({});
  target.flags = Json::object();  // as of a server that is ours: nothing but its slots holds anything
  return target;
}

Result<Json> Traffic(StubFaults faults = {}) {
  Target target = StubTarget(faults);
  PredictedServer server(target, [&]() -> Result<Target> { return StubTarget(faults); }, {});
  return RunTraffic(server, experiment::TrafficNames(), 7, {});
}

TEST(Traffic, EveryRequestOfTheTenShapesIsPredictedOnAnHonestServer) {
  const auto result = Traffic();
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "verdict"), "PASS") << StringAt(*result, "reason").value_or("");
  EXPECT_EQ((*result)["shapes"].size(), 10U);
  EXPECT_EQ((*result)["matching"], (*result)["count"]);
  for (const Json& shape : (*result)["shapes"]) {
    EXPECT_GE(IntAt(shape, "count").value_or(0), 4) << shape["name"];
    EXPECT_FALSE(StringAt(shape, "shows").value_or("").empty());
  }
}

TEST(Traffic, TheSameSeedMakesTheSamePrompts) {
  const std::vector<backend::TokenId> alphabet = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  for (const std::string& name : experiment::TrafficNames()) {
    const auto one = experiment::MakeTraffic(name, {}, alphabet, 3);
    const auto same = experiment::MakeTraffic(name, {}, alphabet, 3);
    const auto other = experiment::MakeTraffic(name, {}, alphabet, 4);
    ASSERT_TRUE(one && same && other) << name;
    EXPECT_EQ(one->steps[0].tokens, same->steps[0].tokens) << name;
    EXPECT_NE(one->steps[0].tokens, other->steps[0].tokens) << name;
    std::size_t longest = 0;
    for (const auto& step : one->steps) longest = std::max(longest, step.tokens.size());
    EXPECT_LT(longest, 4096U) << name;
  }
  EXPECT_FALSE(experiment::MakeTraffic("dream", {}, alphabet, 1));
  EXPECT_FALSE(experiment::MakeTraffic("tree", {}, {1, 2}, 1));
  EXPECT_FALSE(experiment::MakeTraffic("tree", {100, 16}, alphabet, 1));
}

TEST(Traffic, ACacheThatIsOffIsNoMatch) {
  StubFaults faults;
  faults.never_reuses = true;
  const auto result = Traffic(faults);
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "FAIL");
}

TEST(Traffic, ACacheThatReusesOnlyAPartIsNoMatch) {
  StubFaults faults;
  faults.reuses_at_most = 100;
  const auto result = Traffic(faults);
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "FAIL");
  EXPECT_LT(IntAt(*result, "matching"), IntAt(*result, "count"));
}

TEST(Traffic, AServerThatHidesItsCountersIsNotCalledAMatch) {
  StubFaults faults;
  faults.hides_counters = true;
  const auto result = Traffic(faults);
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "INCONCLUSIVE");
  EXPECT_TRUE((*result)["reused_tokens"].is_null()) << "absent is not zero";
}

TEST(Traffic, WithoutTheRightToRestartThatRequestIsLeftOutAndNamed) {
  Target target = StubTarget();
  PredictedServer server(target, {}, {});
  const auto result = RunTraffic(server, {"idle"}, 7, {});
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["shapes"][0]["left_out"].size(), 1U);
  EXPECT_EQ(IntAt(*result, "count"), 3);
}

TEST(Sweep, FitsTheStubsCostAndKeepsEveryRatioWithinItsBound) {
  Target target = StubTarget();
  PredictedServer server(target, {}, {});
  SweepOptions options;
  options.longest_prompt = 1024;
  const auto result = RunSweep(server, options, {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "verdict"), "PASS") << StringAt(*result, "reason").value_or("");
  EXPECT_NEAR(NumberAt(*result, "cost_model/b_ms_per_token").value_or(0), 0.4, 0.02)
      << "the stub's own 400 us a token";
  for (const Json& cell : (*result)["cells"]) {
    EXPECT_EQ(IntAt(cell, "mislabelled"), 0);
    EXPECT_LE(NumberAt(cell, "prefill_ratio/ci_low").value_or(1e9),
              1.1 * NumberAt(cell, "skip_bound").value_or(0));
    EXPECT_LE(NumberAt(cell, "fraction_of_bound/value").value_or(9), 1.05) << cell.dump();
    EXPECT_LE(NumberAt(cell, "end_to_end_ratio/ci_low").value_or(1e9),
              1.1 * NumberAt(cell, "end_to_end_bound").value_or(0));
  }
}

TEST(Sweep, PairsThatAreNotWhatTheirLabelsSayAreCountedAndLeftOut) {
  StubFaults faults;
  faults.never_reuses = true;
  Target target = StubTarget(faults);
  PredictedServer server(target, {}, {});
  SweepOptions options;
  options.longest_prompt = 512;
  const auto result = RunSweep(server, options, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "INCONCLUSIVE");
  for (const Json& cell : (*result)["cells"]) {
    EXPECT_EQ(IntAt(cell, "pairs"), 0);
    EXPECT_TRUE(cell["prefill_ratio"].is_null());
  }
}

ReplayPlan Loop() {
  ReplayPlan plan;
  std::vector<backend::TokenId> prompt;
  for (int i = 0; i < 900; ++i) prompt.push_back(1 + i % 90);
  for (std::size_t turn = 0; turn < 5; ++turn) {
    plan.turns.push_back({turn, prompt, 4});
    for (int i = 0; i < 60; ++i) prompt.push_back(1 + (i * 7 + static_cast<int>(turn)) % 90);
  }
  return plan;
}

TEST(Replay, ShowsEachTurnAndTheWholeLoopWithTheCacheOnAndOff) {
  Target target = StubTarget();
  PredictedServer server(target, {}, {});
  const auto result = RunReplay(server, Loop(), {}, {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "verdict"), "PASS") << StringAt(*result, "reason").value_or("");
  ASSERT_EQ((*result)["turns"].size(), 5U);
  EXPECT_EQ((*result)["turns"][0]["reported"], 0) << "the first turn of a loop is cold in both";
  EXPECT_EQ((*result)["turns"][1]["reported"], 900);
  EXPECT_GT(NumberAt(*result, "loop/end_to_end_ratio/ci_low").value_or(0), 1);
  EXPECT_LT(IntAt(*result, "loop/on_processed_tokens").value_or(0),
            IntAt(*result, "loop/off_processed_tokens"));
}

TEST(Replay, AnOffLoopThatReusesIsNoComparison) {
  StubFaults faults;
  faults.ignores_the_switch = true;
  Target target = StubTarget(faults);
  PredictedServer server(target, {}, {});
  const auto result = RunReplay(server, Loop(), {}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "FAIL");
}

TEST(Replay, FewLoopsGiveNoInterval) {
  Target target = StubTarget();
  PredictedServer server(target, {}, {});
  ReplayOptions options;
  options.loops = 2;
  const auto result = RunReplay(server, Loop(), options, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "INCONCLUSIVE");
}

TEST(Workload, ANameThatIsNeitherAFileNorAShapeIsRefused) {
  Settings settings;
  settings.report_dir = testing_support::ScratchDir();
  const auto result = RunWorkload({}, "no/such/file.jsonl", settings, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace helix::tracks
