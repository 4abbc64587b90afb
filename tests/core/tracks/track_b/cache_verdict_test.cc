#include "core/tracks/track_b/cache_verdict.h"

#include <gtest/gtest.h>

#include "core/usage/usage_document.h"

namespace helix::tracks {
namespace {

CallFacts Call(std::int64_t input, std::int64_t written, std::int64_t read, bool marked = true) {
  Json usage = {
      {"input_tokens", input},
      {"cache_creation_input_tokens", written},
      {"cache_read_input_tokens", read},
      {"output_tokens", 5},
      {"cache_creation", {{"ephemeral_5m_input_tokens", written}, {"ephemeral_1h_input_tokens", 0}}}};
  return {usage::ReadUsageDocument(DumpJson({{"usage", usage}}))->last(), marked, "same"};
}

// One call five times, which is what a verdict needs; the last may be another one.
std::vector<CallFacts> Five(const CallFacts& call) {
  return std::vector<CallFacts>(kFewestRepeats, call);
}
std::vector<CallFacts> Five(const CallFacts& call, const CallFacts& last) {
  auto out = Five(call);
  out.back() = last;
  return out;
}

std::vector<CallFacts> Turns(const std::vector<std::pair<int, int>>& written_read) {
  std::vector<CallFacts> out;
  for (auto [written, read] : written_read) out.push_back(Call(10, written, read));
  return out;
}

VerdictContext Marked(std::optional<int> minimum = std::nullopt) {
  VerdictContext context;
  context.reads_markers = true;
  context.minimum_prefix = minimum;
  return context;
}

TEST(CacheVerdict, NamesAPromptBelowTheModelsMinimum) {
  EXPECT_EQ(JudgeRepeats(Five(Call(2400, 0, 0)), Marked(4096)).code, "BELOW_MINIMUM");
  EXPECT_EQ(JudgeRepeats(Five(Call(5400, 0, 0)), Marked(4096)).code, "BREAKPOINT_MISSING");
  EXPECT_EQ(JudgeRepeats(Five(Call(5400, 0, 0)), Marked()).code, "UNCONFIRMED");
  EXPECT_EQ(JudgeRepeats(Five(Call(5400, 0, 0, false)), Marked()).code, "BREAKPOINT_MISSING");
}

TEST(CacheVerdict, WritesThatAreNeverReadAreABrokenCacheOrAVolatileMarker) {
  auto calls = Five(Call(4, 1616, 0));
  EXPECT_EQ(JudgeRepeats(calls, Marked()).code, "CACHE_NOT_FUNCTIONING");
  calls[1].marked_digest = "other";
  EXPECT_EQ(JudgeRepeats(calls, Marked()).code, "BREAKPOINT_ON_VOLATILE");
  EXPECT_EQ(JudgeRepeats({Call(4, 1616, 0)}, Marked()).code, "UNCONFIRMED");
}

// Row 27 of the public reports: a route is judged by five warm repeats or more.
TEST(CacheVerdict, FewerThanFiveRepeatsAreNoVerdictOnARoute) {
  for (const CallFacts& call : {Call(4, 0, 1000), Call(5400, 0, 0), Call(4, 1616, 0), Call(2400, 0, 0)}) {
    auto calls = Five(call);
    EXPECT_NE(JudgeRepeats(calls, Marked(4096)).code, "UNCONFIRMED");
    calls.pop_back();
    const auto few = JudgeRepeats(calls, Marked(4096));
    EXPECT_EQ(few.code, "UNCONFIRMED");
    EXPECT_NE(few.reason.find("4 warm calls"), std::string::npos) << few.reason;
    EXPECT_NE(few.reason.find("needs 5"), std::string::npos) << few.reason;
  }
}

TEST(CacheVerdict, SilenceIsNotZero) {
  CallFacts silent{
      usage::ReadUsageDocument(
          R"({"type":"message","id":"msg_1","content":[],"usage":{"input_tokens":5,"output_tokens":3}})")
          ->last(),
      true, ""};
  EXPECT_EQ(JudgeRepeats({silent}, Marked()).code, "REPORTING_OFF");
  auto faster = Marked();
  faster.faster_when_warm = true;
  EXPECT_EQ(JudgeRepeats({silent}, faster).code, "REPORTING_OFF_TIMING_SUGGESTS_HIT");
  auto routed = Marked();
  routed.through_router = true;
  EXPECT_EQ(JudgeRepeats({silent}, routed).code, "REPORTING_DROPPED_BY_GATEWAY");
}

TEST(CacheVerdict, APromptOfNoTokensIsALostCounter) {  // musistudio/claude-code-router 2.x, streamed
  auto routed = Marked();
  routed.through_router = true;
  const auto zeros = std::vector{Call(0, 0, 0), Call(0, 0, 0)};
  EXPECT_EQ(JudgeRepeats(zeros, routed).code, "REPORTING_DROPPED_BY_GATEWAY");
  EXPECT_EQ(JudgeRepeats(zeros, Marked()).code, "REPORTING_OFF");
}

TEST(CacheVerdict, ADifferentProviderIsARouteChange) {
  auto calls = std::vector{Call(4, 0, 100), Call(4, 0, 100)};
  calls[1].reply.provider_name = "Elsewhere";
  EXPECT_EQ(JudgeRepeats(calls, Marked()).code, "ROUTE_CHANGED");
}

TEST(CacheVerdict, HealthyRepeats) {
  EXPECT_EQ(JudgeRepeats(Five(Call(4, 0, 1000), Call(9, 0, 1000)), Marked()).code, "OK_APPEND_ONLY");
  EXPECT_EQ(JudgeRepeats(Five(Call(900, 0, 1000)), Marked()).code, "OK_PARTIAL_HIT");
}

TEST(CacheVerdict, TurnsThatReadTheSameAndWriteMoreHaveAStuckMarker) {  // NousResearch/hermes-agent#118622
  EXPECT_EQ(JudgeTurns(Turns({{16463, 26354}, {3423, 42272}, {10668, 42272}, {19973, 42272}}))->code,
            "BREAKPOINT_NOT_ADVANCING");
}

TEST(CacheVerdict, TurnsThatWriteEverythingAgain) {  // anthropics/claude-code#93490
  EXPECT_EQ(JudgeTurns(Turns({{26124, 10118}, {25212, 11072}, {25254, 11072}}))->code, "REWRITES_EVERY_TURN");
  EXPECT_EQ(JudgeTurns(Turns({{24813, 20021}, {97, 44834}, {97, 44931}}))->code, "OK_APPEND_ONLY");
  EXPECT_FALSE(JudgeTurns(Turns({{1, 1}, {1, 1}})));
}

}  // namespace
}  // namespace helix::tracks
