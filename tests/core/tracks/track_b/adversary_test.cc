// Gateways that lie, break or never end: no such run passes, none goes on paying, none is believed.
#include <gtest/gtest.h>

#include "core/base/clock.h"
#include "core/cost/spend_ledger.h"
#include "tests/core/tracks/track_b/bench.h"

namespace helix::tracks {
namespace {

using Manner = FakeMessagesApi::Manner;

Json RunWith(Bench& bench, Manner manner) {
  bench.api.manner = manner;
  return bench.Run(true, 5);
}

TEST(TrackBAdversary, AReadThatIsSaidOfEveryCallMakesTheColdArmWarm) {
  Bench bench;
  const Json result = RunWith(bench, Manner::kReadsAlways);
  EXPECT_EQ(result["verdict"], "FAIL");
  EXPECT_TRUE(HasFinding(result, "cold_arm_warm"));
}

TEST(TrackBAdversary, MoreTokensThanBytesAreNotBelieved) {
  Bench bench;
  bench.api.manner = Manner::kHugeCounts;
  const Json result = bench.Run(true, 0.5);
  EXPECT_NE(result["verdict"], "PASS");
  EXPECT_TRUE(HasFinding(result, "usage_exceeds_request")) << DumpPretty(result);
  EXPECT_TRUE(result["cost"]["usd"].is_null());
  // The claimed cost is booked, so the budget is gone: nothing more is paid.
  EXPECT_EQ(bench.api.calls, 1);
  EXPECT_TRUE(HasFinding(result, "missing_samples"));
}

TEST(TrackBAdversary, NegativeAndWordyCountersAreAbsentAndNamed) {
  Bench bench;
  const Json result = RunWith(bench, Manner::kGarbage);
  EXPECT_NE(result["verdict"], "PASS");
  EXPECT_TRUE(HasFinding(result, "invalid_counter"));
  EXPECT_TRUE(result["warm"]["cached_max"].is_null());
  EXPECT_TRUE(result["cost"]["usd"].is_null());
}

TEST(TrackBAdversary, AnotherModelsAnswersAreFailures) {
  Bench bench;
  const Json result = RunWith(bench, Manner::kOtherModel);
  EXPECT_NE(result["verdict"], "PASS");
  EXPECT_EQ(bench.api.calls, 3);
  EXPECT_NE(DumpJson(result["findings"]).find("other_model_answered"), std::string::npos);
}

TEST(TrackBAdversary, ARefusedKeyEndsTheRunAtOnce) {
  Bench bench;
  const Json result = RunWith(bench, Manner::kRefusesKey);
  EXPECT_EQ(bench.api.calls, 1);
  EXPECT_NE(result["verdict"], "PASS");
  EXPECT_NE(DumpJson(result["findings"]).find("authentication, status 401"), std::string::npos);
  EXPECT_EQ(DumpJson(result).find(kKey), std::string::npos);
}

TEST(TrackBAdversary, ASpendCapIsNeitherRetriedNorWaitedFor) {
  Bench bench;
  const Json result = RunWith(bench, Manner::kSpendCap);
  EXPECT_EQ(bench.api.calls, 1);
  EXPECT_NE(DumpJson(result["findings"]).find("spend_cap"), std::string::npos);
}

TEST(TrackBAdversary, ABusyPageIsRetriedThreeTimesPerCallAndEndsAfterThreeCalls) {
  Bench bench;
  const Json result = RunWith(bench, Manner::kBusyPage);
  EXPECT_EQ(bench.api.calls, 9);
  EXPECT_NE(DumpJson(result["findings"]).find("overloaded"), std::string::npos);
  EXPECT_FALSE(HasFinding(result, "evidence_reused"));  // the same page three times is no copied evidence
}

TEST(TrackBAdversary, StreamsThatDieAreCountedAndEndTheRun) {
  for (auto [manner, failure] :
       {std::pair(Manner::kErrorInStream, "error_in_stream"), std::pair(Manner::kSilentEnd, "truncated")}) {
    Bench bench;
    const Json result = RunWith(bench, manner);
    EXPECT_EQ(bench.api.calls, 3) << failure;
    EXPECT_NE(result["verdict"], "PASS");
    EXPECT_NE(DumpJson(result).find(failure), std::string::npos) << DumpPretty(result);
    EXPECT_TRUE(result["ttft_difference_ms"].is_null());
  }
}

TEST(TrackBAdversary, AStreamWithoutEndIsCutOff) {
  Bench bench;
  const auto begin = std::chrono::steady_clock::now();
  const Json result = RunWith(bench, Manner::kEndless);
  EXPECT_EQ(bench.api.calls, 3);
  EXPECT_NE(result["verdict"], "PASS");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(TrackBAdversary, AFailedCallStaysBookedAtWhatWasReserved) {
  Bench bench;
  RunWith(bench, Manner::kSilentEnd);
  cost::SpendLedger ledger(bench.dir + "/spend-ledger.jsonl", cost::FromUsd(5), UtcTimestamp().substr(0, 10));
  EXPECT_GT(ledger.Committed()->count, 0);
}

}  // namespace
}  // namespace helix::tracks
