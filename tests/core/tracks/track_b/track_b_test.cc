#include "core/tracks/track_b/track_b.h"

#include <gtest/gtest.h>

#include "core/evidence/canonical_json.h"
#include "tests/core/tracks/track_b/bench.h"

namespace helix::tracks {
namespace {

TEST(TrackB, WithoutAKeyItIsASkipThatSaysWhatWouldMakeItRun) {
  auto result = RunTrackB({}, Settings{}, Env({}), RunContext{}).value();
  EXPECT_EQ(result["verdict"], "SKIP");
  EXPECT_EQ(result["skip_code"], "feature_disabled_by_config");
  EXPECT_TRUE(result["skip_reason"].get<std::string>().starts_with("credentials_absent:"));
  EXPECT_NE(result["would_run_if"].get<std::string>().find("ANTHROPIC_API_KEY"), std::string::npos);
  EXPECT_EQ(result.size(), 4u);
}

TEST(TrackB, WithAKeyAndNoSwitchItEstimatesAndCallsNothing) {
  Bench bench;
  Json result = bench.Run(false, std::nullopt);
  EXPECT_EQ(result["skip_code"], "operator_attended");
  EXPECT_NE(result["skip_reason"].get<std::string>().find("at most $"), std::string::npos);
  EXPECT_EQ(bench.server.connections(), 0);
  EXPECT_EQ(bench.Run(true, std::nullopt)["verdict"], "SKIP");
  EXPECT_EQ(bench.server.connections(), 0);
}

TEST(TrackB, AnUnknownPriceIsNeverCalled) {
  Bench bench;
  bench.request.target.model = "fake-2";
  Json result = bench.Run(true, 100);
  EXPECT_EQ(result["verdict"], "SKIP");
  EXPECT_NE(result["skip_reason"].get<std::string>().find("price: unknown"), std::string::npos);
  EXPECT_EQ(bench.server.connections(), 0);
}

TEST(TrackB, MeasuresReadsCostAndTtft) {
  Bench bench;
  Json result = bench.Run(true, 5);
  EXPECT_EQ(result["verdict"], "PASS") << DumpPretty(result);
  EXPECT_EQ(result["cold"]["cached_max"], 0);
  EXPECT_GE(result["warm"]["read_share_min"].get<double>(), 0.9);
  EXPECT_GT(result["ttft_difference_ms"]["ci_low"].get<double>(), 0);
  EXPECT_GT(result["ttft_difference_ms"]["minimum_detectable"].get<double>(), 0);
  EXPECT_EQ(result["cache_verdict"]["verdict"], "OK_APPEND_ONLY");
  EXPECT_EQ(result["cost"]["kind"], "exact");
  EXPECT_LT(std::stod(result["cost"]["usd"].get<std::string>()),
            std::stod(result["cost"]["usd_without_cache"].get<std::string>()));
  EXPECT_EQ(result["turns"].size(), 4u);
  EXPECT_EQ(DumpJson(result).find("sk-ant"), std::string::npos);
}

TEST(TrackB, AModelThatIsKnownToCostNothingNeedsNoBudgetAndIsStillCounted) {
  Bench bench;
  bench.request.target.model = "free-1";
  Json result = bench.Run(true, 0);
  EXPECT_EQ(bench.api.calls, 25);
  EXPECT_EQ(result["cost"]["usd"], "0");
  EXPECT_GE(result["warm"]["read_share_min"].get<double>(), 0.9);
}

TEST(TrackB, TheBudgetStopsTheRunAndTheLedgerKnowsWhatWasSpent) {
  Bench bench;
  Json result = bench.Run(true, 0.06);
  EXPECT_EQ(result["verdict"], "INCONCLUSIVE");
  EXPECT_LT(bench.api.calls, 25);
  EXPECT_GT(bench.api.calls, 0);
  EXPECT_NE(DumpJson(result["findings"]).find("missing_samples"), std::string::npos);
}

TEST(TrackB, ACacheThatIsNeverReadFails) {
  Bench bench;
  bench.api.manner = FakeMessagesApi::Manner::kNeverReads;
  Json result = bench.Run(true, 5);
  EXPECT_EQ(result["verdict"], "FAIL");
  EXPECT_EQ(result["cache_verdict"]["verdict"], "CACHE_NOT_FUNCTIONING");
}

TEST(TrackB, AMarkerThatDoesNotArriveAndAPromptThatIsTooShortAreToldApart) {
  for (auto [tokens, verdict] : {std::pair(1500, "BREAKPOINT_MISSING"), std::pair(300, "BELOW_MINIMUM")}) {
    Bench bench;
    bench.api.manner = FakeMessagesApi::Manner::kIgnoresMarkers;
    bench.request.target.model = "claude-opus-5";  // its published minimum is 512 tokens
    bench.request.options.prefix_tokens = tokens;
    Json result = bench.Run(true, 5);
    EXPECT_EQ(result["cache_verdict"]["verdict"], verdict);
    EXPECT_NE(result["verdict"], "PASS");
  }
}

TEST(TrackB, TheReportsFileHasTheVerdictThatTheCallerWasTold) {
  for (auto manner : {FakeMessagesApi::Manner::kCaches, FakeMessagesApi::Manner::kNeverReads}) {
    Bench bench;
    bench.api.manner = manner;
    const Json result = bench.Run(true, 5);
    const auto report = ReadJsonFile(result["report_path"]);
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["track_b"]["verdict"], result["verdict"]);
    EXPECT_EQ(evidence::CanonicalJson((*report)["track_b"]["findings"]),
              evidence::CanonicalJson(result["findings"]));
    EXPECT_EQ((*report)["verdict"], result["report_verdict"]);
  }
}

// The catalogue's own row A01 stands beside it: a report is judged by the same rules whoever made it.
TEST(TrackB, WhereFewWarmCallsCountTheirReadsItsOwnJudgementIsThatTheyAreTooFew) {
  Bench bench;
  bench.api.manner = FakeMessagesApi::Manner::kNeverReads;
  bench.api.counts_at_most = 8;  // of the 21 calls of the pairs, fewer than five are warm
  const Json result = bench.Run(true, 5);
  EXPECT_EQ(result["findings"][0]["code"], "n_too_small") << DumpPretty(result["findings"]);
  EXPECT_EQ(result["findings"][0]["reason"], "4 warm calls say how much they read; 5 are needed");
}

TEST(TrackB, DroppedCountersAreNotZeroPercent) {
  Bench bench;
  bench.api.manner = FakeMessagesApi::Manner::kDropsCounters;
  Json result = bench.Run(true, 5);
  EXPECT_EQ(result["verdict"], "INCONCLUSIVE");
  EXPECT_TRUE(result["warm"]["read_share_min"].is_null());
  EXPECT_TRUE(result["warm"]["cached_max"].is_null());
}

TEST(TrackB, AReplayedReplyIsNotACacheHit) {
  Bench bench;
  bench.api.manner = FakeMessagesApi::Manner::kReplays;
  Json result = bench.Run(true, 5);
  EXPECT_EQ(result["verdict"], "FAIL");
  EXPECT_EQ(result["cache_verdict"]["verdict"], "RESPONSE_CACHE_REPLAY");
  EXPECT_TRUE(result["ttft_difference_ms"].is_null());
}

TEST(TrackB, ABufferingHopHasNoTtft) {
  Bench bench;
  bench.api.manner = FakeMessagesApi::Manner::kBuffers;
  Json result = bench.Run(true, 5);
  EXPECT_EQ(result["verdict"], "INCONCLUSIVE");
  EXPECT_TRUE(result["ttft_difference_ms"].is_null());
  EXPECT_NE(DumpJson(result["findings"]).find("TTFT_INVALID_BUFFERED"), std::string::npos);
}

TEST(TrackB, AnAgentsEndpointGetsNoKey) {
  Bench bench;
  bench.request.target.endpoint = bench.server.base_url();
  bench.settings.from_agent = true;
  bench.Run(true, 5);
  for (const auto& request : bench.server.requests()) {
    EXPECT_EQ(request.header("x-api-key"), "");
    EXPECT_EQ(request.header("authorization"), "");
  }
}

TEST(TrackB, ThePlanIsTheSameForTheSameSeedAndPairsAskTheSame) {
  TrackBOptions options;
  auto plan = PlanCalls(options);
  ASSERT_EQ(plan.size(), 25u);
  auto again = PlanCalls(options);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    EXPECT_EQ(backend::AnthropicBody(plan[i].request), backend::AnthropicBody(again[i].request));
  }
  for (std::size_t i = 1; i + 4 < plan.size(); i += 2) {
    EXPECT_EQ(plan[i].request.turns[0].text, plan[i + 1].request.turns[0].text);
    EXPECT_EQ(plan[i].request.salt.size(), plan[i + 1].request.salt.size());
    EXPECT_NE(plan[i].request.salt, plan[i + 1].request.salt);
  }
}

TEST(RouterIdentity, TellsWhoAnswers) {
  using backend::Answerer;
  EXPECT_EQ(backend::JudgeAnswerer(R"({"message":"LLMs API","version":"1.0.51"})", "", ""), Answerer::kCcr2);
  EXPECT_EQ(backend::JudgeAnswerer("", R"({"status":"ok","runtimeId":"x"})", ""), Answerer::kCcr3);
  EXPECT_EQ(backend::JudgeAnswerer("", R"({"status":"ok","providers":2})", ""), Answerer::kCcrGo);
  EXPECT_EQ(backend::JudgeAnswerer("<html>", R"({"status":"ok"})", R"({"build_info":"b1"})"),
            Answerer::kLlamaServer);
  EXPECT_EQ(backend::JudgeAnswerer("", R"({"status":"ok"})", ""), Answerer::kUnknown);
}

}  // namespace
}  // namespace helix::tracks
