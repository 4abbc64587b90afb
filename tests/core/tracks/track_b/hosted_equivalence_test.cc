// The statistical mode end to end, against a fake of a hosted API: what it says is made up, so is the price.
#include "core/tracks/track_b/hosted_equivalence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "core/evidence/run_store.h"
#include "core/tracks/track_b/repeat_result.h"
#include "core/tracks/verify/rederive.h"
#include "tests/core/tracks/track_b/bench.h"

namespace helix::tracks {
namespace {

struct HostedBench {
  FakeMessagesApi api;
  fakes::FakeHttpServer server{
      [this](const auto& received, auto& connection) { api.Answer(received, connection); }};
  Settings settings;
  HostedEquivalenceRequest request;
  SplitMix64 random{7};

  HostedBench() {
    settings.report_dir = testing_support::ScratchDir();
    request.target.provider = "anthropic";
    request.target.model = "claude-test-1";
    request.spend = {true, 50, settings.report_dir + "/prices.json"};
    EXPECT_TRUE(WriteFileAtomic(request.spend.prices_file, kPrices));
    api.thinks = std::chrono::milliseconds(0);
    api.says = [this](const Json&, bool) { return Noisy(""); };
  }
  // One of two answers, as a model at a temperature above zero gives them.
  std::string Noisy(const std::string& before) {
    return before + (random.Below(2) == 0 ? "one two three four five six" : "one two three four nine ten");
  }
  Result<Json> Run() {
    const auto env = Env({{"ANTHROPIC_API_KEY", kKey}, {"ANTHROPIC_BASE_URL", server.base_url()}});
    return RunHostedEquivalence(request, settings, env, RunContext{});
  }
};

TEST(HostedEquivalence, WithoutAKeyItIsASkip) {
  const auto result = RunHostedEquivalence({}, Settings{}, Env({}), RunContext{});
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["verdict"], "SKIP");
  EXPECT_TRUE((*result)["skip_reason"].get<std::string>().starts_with("credentials_absent:"));
  EXPECT_EQ(result->size(), 4u);
}

TEST(HostedEquivalence, WithoutTheSwitchItEstimatesAndCallsNothing) {
  HostedBench bench;
  bench.request.spend.paid = false;
  const auto result = bench.Run();
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["skip_code"], "operator_attended");
  EXPECT_NE((*result)["skip_reason"].get<std::string>().find("at most $"), std::string::npos);
  bench.request.spend = {true, std::nullopt, bench.request.spend.prices_file};
  EXPECT_EQ((*bench.Run())["verdict"], "SKIP");
  bench.request.target.model = "fake-2";
  EXPECT_NE((*bench.Run())["skip_reason"].get<std::string>().find("price: unknown"), std::string::npos);
  EXPECT_EQ(bench.server.connections(), 0);
}

TEST(HostedEquivalence, ComparesTheSameBytesWithAndWithoutTheMarkerAndProvesBothArms) {
  HostedBench bench;
  const auto result = bench.Run();
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["cold_means"], "unmarked");
  EXPECT_EQ((*result)["difference_detected"], false) << DumpPretty(*result);
  EXPECT_EQ((*result)["statistical"]["unproven"], 0);
  EXPECT_EQ((*result)["statistical"]["answers"], 48);
  EXPECT_LT((*result)["statistical"]["uncached_self_agreement"].get<double>(), 1);
  EXPECT_GT((*result)["statistical"]["detectable_difference"].get<double>(), 0);
  EXPECT_EQ((*result)["statistical"]["margin"], 0.05);
  EXPECT_EQ((*result)["cost"]["kind"], "exact");
  EXPECT_EQ(bench.api.calls, 72) << "24 cold, 24 priming, 24 warm";
  EXPECT_EQ(DumpJson(*result).find("planted"), std::string::npos);
}

TEST(HostedEquivalence, FindsAnApiThatAnswersOtherwiseFromItsCache) {
  HostedBench bench;
  bench.api.says = [&](const Json&, bool hit) { return bench.Noisy(hit ? "no longer known: " : ""); };
  const auto result = bench.Run();
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["difference_detected"], true) << DumpPretty(*result);
  EXPECT_EQ((*result)["verdict"], "INCONCLUSIVE") << "texts alone do not prove a wrong cache";
  EXPECT_EQ((*result)["reason"].get<std::string>().rfind("a difference was detected", 0), 0U);
}

TEST(HostedEquivalence, SaysNothingOfArmsWithoutCountersOrWithoutAHit) {
  for (auto manner : {FakeMessagesApi::Manner::kDropsCounters, FakeMessagesApi::Manner::kNeverReads,
                      FakeMessagesApi::Manner::kReadsAlways, FakeMessagesApi::Manner::kIgnoresMarkers}) {
    HostedBench bench;
    bench.api.manner = manner;
    const auto result = bench.Run();
    ASSERT_TRUE(result) << result.error().Text();
    EXPECT_TRUE((*result)["difference_detected"].is_null()) << DumpPretty(*result);
    EXPECT_GT((*result)["statistical"]["unproven"].get<int>(), 0);
  }
}

TEST(HostedEquivalence, TheBudgetStopsItAndThreeFailuresDo) {
  HostedBench dear;
  dear.request.spend.max_usd = 0.05;
  const auto stopped = dear.Run();
  ASSERT_TRUE(stopped);
  EXPECT_LT(dear.api.calls, 72);
  EXPECT_NE((*stopped)["stopped"].get<std::string>().find("budget"), std::string::npos);
  HostedBench broken;
  broken.api.manner = FakeMessagesApi::Manner::kErrorInStream;
  const auto failed = broken.Run();
  ASSERT_TRUE(failed);
  EXPECT_EQ(broken.api.calls, 3);
  EXPECT_NE((*failed)["stopped"].get<std::string>().find("error_in_stream"), std::string::npos);
  EXPECT_EQ((*failed)["verdict"], "INCONCLUSIVE");
}

std::string Printed(const Json& result) {
  std::string out = RepeatText(result) + DumpJson(result) + ReadFile(result["report_path"]).value();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Whatever the API does, also when every answer is the same.
TEST(HostedEquivalence, NeverPrintsTheForbiddenWord) {
  using Manner = FakeMessagesApi::Manner;
  for (auto manner : {Manner::kCaches, Manner::kNeverReads, Manner::kDropsCounters, Manner::kReplays,
                      Manner::kErrorInStream, Manner::kSpendCap, Manner::kGarbage}) {
    for (const bool one_answer : {true, false}) {
      HostedBench bench;
      bench.request.prompts = 3;
      bench.api.manner = manner;
      if (one_answer) bench.api.says = [](const Json&, bool) { return "one two three"; };
      const auto result = bench.Run();
      ASSERT_TRUE(result) << result.error().Text();
      EXPECT_EQ((*result)["verdict"], "INCONCLUSIVE");
      const std::string printed = Printed(*result);
      EXPECT_EQ(printed.find("identical"), std::string::npos) << printed;
      EXPECT_NE(printed.find("inconclusive"), std::string::npos);
    }
  }
}

TEST(HostedEquivalence, IsComputedAgainFromTheStoredReplies) {
  HostedBench bench;
  bench.request.prompts = 4;
  const auto result = bench.Run();
  ASSERT_TRUE(result) << result.error().Text();
  const std::string path = (*result)["report_path"];
  const auto whole = analysis::VerifyReport(path, {{}, RederiveFromBytes});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->held()) << DumpPretty(whole->ToJson());
  EXPECT_EQ(whole->steps.back().name, "verdict");
  EXPECT_TRUE(whole->steps.back().made);
  auto store = evidence::RunStore::OpenReadOnly(bench.settings.report_dir);
  ASSERT_TRUE(store);
  Json record = ReadJsonFile(path).value();
  for (const auto& [field, value, step] : {std::tuple("statistical/p_value", Json(0.5), "statistics"),
                                           std::tuple("class", Json("EXACT"), "verdict"),
                                           std::tuple("arms/cached/answers", Json(13), "answers")}) {
    Json lie = record;
    lie.at(Json::json_pointer("/" + std::string(field))) = value;
    const auto steps = RederiveFromBytes(lie, store->objects());
    const auto broken = std::find_if(steps.begin(), steps.end(), [](const auto& s) { return !s.held; });
    ASSERT_NE(broken, steps.end()) << field;
    EXPECT_EQ(broken->name, step);
  }
}

}  // namespace
}  // namespace helix::tracks
