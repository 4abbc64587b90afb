// The concise-output arm, routers, and the plan.
#include <gtest/gtest.h>

#include <set>

#include "core/tracks/track_b/plan_text.h"
#include "tests/core/tracks/track_b/bench.h"

namespace helix::tracks {
namespace {

TEST(TrackBConcise, StandsBesideItsHoldOutArm) {
  Bench bench;
  bench.request.options.concise = "concise";
  const Json result = bench.Run(true, 5);
  const Json& concise = result["concise"];
  ASSERT_TRUE(concise.is_object()) << DumpPretty(result);
  EXPECT_EQ(concise["hold_out"]["answers"], 10);
  EXPECT_EQ(concise["hold_out"]["correct"], 10);
  EXPECT_EQ(concise["hold_out"]["output_tokens"], 600);
  EXPECT_EQ(concise["concise"]["output_tokens"], 120);
  EXPECT_TRUE(concise["saving_counts"]);
  EXPECT_DOUBLE_EQ(concise["output_share_saved"], 0.8);
  EXPECT_EQ(bench.api.calls, 45);
}

TEST(TrackBConcise, WithoutAProfileThereIsNone) {
  Bench bench;
  EXPECT_TRUE(bench.Run(true, 5)["concise"].is_null());
}

TEST(TrackBRouter, IsNamedWithWhatItIsKnownToLose) {
  Bench bench;
  bench.server.On("GET", "/", [](const fakes::ReceivedRequest&, fakes::FakeConnection& connection) {
    connection.Reply(200, R"({"message":"LLMs API","version":"1.0.51"})");
  });
  bench.request.target.endpoint = bench.server.base_url();
  const Json result = bench.Run(true, 5);
  EXPECT_EQ(result["route"], "ccr2-anthropic");
  EXPECT_EQ(result["router"]["program"], "claude-code-router 2.x");
  EXPECT_EQ(result["router"]["counters_came_back"], "25 of 25");
}

TEST(TrackBRouter, LostCountersAreTheGatewaysAndNotZero) {
  Bench bench;
  bench.api.manner = FakeMessagesApi::Manner::kDropsCounters;
  bench.server.On("GET", "/", [](const fakes::ReceivedRequest&, fakes::FakeConnection& connection) {
    connection.Reply(200, R"({"message":"LLMs API","version":"1.0.51"})");
  });
  bench.request.target.endpoint = bench.server.base_url();
  const Json result = bench.Run(true, 5);
  EXPECT_EQ(result["cache_verdict"]["verdict"], "REPORTING_DROPPED_BY_GATEWAY");
  EXPECT_EQ(result["router"]["counters_came_back"], "0 of 25");
}

TEST(TrackBRouter, TheThirdGenerationIsAskedAtItsChatEndpoint) {
  Bench bench;
  bench.server.On("GET", "/health", [](const fakes::ReceivedRequest&, fakes::FakeConnection& connection) {
    connection.Reply(200, R"({"status":"ok","runtimeId":"r1"})");
  });
  bench.request.target.endpoint = bench.server.base_url();
  const auto target = FindTrackBTarget(bench.request.target, bench.settings, Env({}), RunContext{});
  ASSERT_TRUE(target);
  const auto& found = std::get<TrackBTarget>(*target);
  EXPECT_EQ(found.route, "ccr3-openai");
  EXPECT_EQ(found.client.protocol, backend::Protocol::kOpenAiChat);
  bench.request.target.protocol = "anthropic";
  const auto asked = FindTrackBTarget(bench.request.target, bench.settings, Env({}), RunContext{});
  EXPECT_EQ(std::get<TrackBTarget>(*asked).route, "ccr3-anthropic");
}

TEST(TrackBPlan, SaltsOccurOnceAndShareNoFirstLetterWithTheirNeighbours) {
  TrackBOptions options;
  options.pairs = 200;
  std::set<std::string> salts;
  char last = 0;
  char warm = 0;
  for (const auto& call : PlanCalls(options)) {
    const auto& salt = call.request.salt;
    if (call.arm == PlannedCall::Arm::kPrime) warm = salt.front();
    if (call.arm != PlannedCall::Arm::kCold) continue;
    EXPECT_TRUE(salts.insert(salt).second);
    EXPECT_NE(salt.front(), warm);
    EXPECT_NE(salt.front(), last);
    last = salt.front();
  }
  EXPECT_EQ(salts.size(), 200u);
}

TEST(TrackBPlan, HasAsManyOfBothOrders) {
  TrackBOptions options;
  options.turns = 0;
  int cold_first = 0;
  const auto plan = PlanCalls(options);
  for (std::size_t i = 1; i < plan.size(); i += 2) cold_first += plan[i].arm == PlannedCall::Arm::kCold;
  EXPECT_EQ(cold_first, 5);
}

TEST(TrackBPlan, AWordProblemsAnswerIsRight) {
  SplitMix64 random(3);
  for (int i = 0; i < 100; ++i) {
    const Task task = WordProblem(random);
    long boxes = 0;
    long each = 0;
    long broken = 0;
    char thing[16];
    ASSERT_EQ(sscanf(task.question.c_str(), "A ship brings %ld boxes with %ld %15s parts in each. %ld",
                     &boxes, &each, thing, &broken),
              4);
    EXPECT_EQ(task.answer, std::to_string(boxes * each - broken));
    EXPECT_GT(boxes * each - broken, 0);
  }
}

TEST(TrackBPlan, ALongPromptIsReservedAtItsOwnBand) {
  TrackBOptions options;
  options.prefix_tokens = 90000;
  options.turns = 0;
  const auto plan = PlanCalls(options);
  EXPECT_GT(MostPromptTokens(plan[0], options), 100000);
}

}  // namespace
}  // namespace helix::tracks
