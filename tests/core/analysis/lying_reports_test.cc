// Lies that no recipe of the catalogue tells: sound reports, changed by hand the way somebody would who knows
// the checks.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/analyze.h"
#include "core/analysis/checks/check.h"
#include "core/analysis/golden/edit.h"
#include "core/analysis/golden/golden.h"

namespace helix::analysis {
namespace {

using namespace edit;

Analysis Judge(Json report, unsigned seal = kSealAll) {
  SealReport(report, seal);
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  return Analyze(report, options);
}

bool Raises(const Analysis& analysis, const std::string& code) {
  auto codes = analysis.Codes();
  return std::binary_search(codes.begin(), codes.end(), code);
}

std::string Seen(const Analysis& analysis) {
  return std::string(VerdictName(analysis.verdict)) + " " + Json(analysis.Codes()).dump();
}

constexpr unsigned kKeepClaim = kPlan | kTree;

TEST(LyingReport, SlowPairsCannotBecomeWarmUpAfterwards) {
  Json report = GoldenReport();
  for (auto& s : report["samples"]) {
    if (s["pair"] == 7) s["warmup"] = true;
  }
  Analysis a = Judge(report);
  EXPECT_EQ(a.verdict, Verdict::kFail) << Seen(a);
  EXPECT_TRUE(Raises(a, "asymmetric_or_unruled_exclusion"));
  Json first = GoldenReport();
  for (auto& s : first["samples"]) {
    if (s["pair"] == 0) s["warmup"] = true;
  }
  EXPECT_FALSE(Raises(Judge(first), "asymmetric_or_unruled_exclusion"))
      << "one pair at the start is the default plan";
}

TEST(LyingReport, WithoutATtftAQueueIsNotMeasuredAgainstZero) {
  Json report = GoldenReport();
  int n = 0;
  for (auto& s : report["samples"]) s["server"]["queue_ms"] = (s["arm"] == "off" ? 0.02 : 0.01) + 1e-4 * ++n;
  EXPECT_FALSE(Raises(Judge(report), "queue_asymmetry")) << "far below 1 % of the TTFT";
  for (auto& s : report["samples"]) s["client"].erase("ttft_ns");
  const Analysis blind = Judge(report);
  EXPECT_FALSE(Raises(blind, "queue_asymmetry")) << Seen(blind);
}

TEST(LyingReport, FinishedPairsCannotBeCalledFailed) {
  Json report = GoldenReport();
  for (auto& s : report["samples"]) {
    if (s["pair"] == 7) s["status"] = "error";
  }
  EXPECT_TRUE(Raises(Judge(report), "asymmetric_or_unruled_exclusion"));
}

TEST(LyingReport, AWarmColdArmIsNotMadeColdByALargeAllowance) {
  Json report = GoldenReport();
  Each(report, "off", [](Json& s, int) { Reuse(s, 2048); });
  report["backend"]["cold_allow"] = 4096;
  Analysis a = Judge(report);
  EXPECT_TRUE(Raises(a, "cold_arm_warm")) << Seen(a);
}

TEST(LyingReport, AFieldGivenTwiceInOneRowIsNotReadAsEither) {
  Json report = GoldenReport();
  Nth(report, "on", 2)["cached_n"] = 7;
  Analysis a = Judge(report);
  EXPECT_TRUE(Raises(a, "nonpositive_or_nan")) << Seen(a);
}

TEST(LyingReport, ATextThatSaysMoreThanTheClaimIsFound) {
  for (const char* text : {"30x faster", "88 times", "the cache saves 99.9 %"}) {
    Json report = GoldenReport();
    report["claim"]["text"] = text;
    EXPECT_TRUE(Raises(Judge(report), "summary_mismatch")) << text;
  }
  Json honest = GoldenReport();
  double ratio = honest["claim"]["speedup_ttft"].get<double>();
  char text[100];
  std::snprintf(text, sizeof text, "%.1fx (95 %% interval), %.0f %% less", ratio, 100 * (1 - 1 / ratio));
  honest["claim"]["text"] = text;
  EXPECT_FALSE(Raises(Judge(honest), "summary_mismatch")) << text;
}

TEST(LyingReport, ANumberThatNoSampleGivesIsFound) {
  Json report = GoldenReport();
  report["claim"]["speedup_prefill"] = 50.0;
  All(report, [](Json& s, int) { s["server"].erase("prompt_ms"); });
  EXPECT_TRUE(Raises(Judge(report, kKeepClaim), "summary_mismatch"));
  Json unknown = GoldenReport();
  unknown["claim"]["p99_on"] = 3.0;
  EXPECT_TRUE(Raises(Judge(unknown), "claim_in_extra_field"));
  Json statistics = GoldenReport();
  statistics["statistics"] = {{"ttft_ratio", {{"best", 40.0}}}};
  EXPECT_TRUE(Raises(Judge(statistics), "summary_mismatch"));
}

TEST(LyingReport, AClaimInARowOrANoticeIsFound) {
  Json row = GoldenReport();
  Nth(row, "on", 3)["remark"] = "12x faster than without";
  EXPECT_TRUE(Raises(Judge(row), "claim_in_extra_field"));
  Json slash = GoldenReport();
  slash["claim"]["a/b~c"] = "twice as cheap: 2x";
  EXPECT_TRUE(Raises(Judge(slash), "claim_in_extra_field"));
  Json notice = GoldenReport();
  notice["notice"] = {"this server is 12x faster"};
  EXPECT_TRUE(Raises(Judge(notice), "claim_in_extra_field"));
}

TEST(LyingReport, CopiedRowsWithTouchedNanosecondsAreFound) {
  Json report = GoldenReport();
  Json& copy = Nth(report, "on", 9);
  const Json original = Nth(report, "on", 2);
  copy["server"] = original["server"];
  copy["client"]["ttft_ns"] = original["client"]["ttft_ns"].get<std::int64_t>() + 137;
  copy["client"]["total_ns"] = original["client"]["total_ns"].get<std::int64_t>() + 911;
  Respace(report);
  EXPECT_TRUE(Raises(Judge(report), "duplicate_rows"));
}

TEST(LyingReport, AClientThatWaitsInTheColdArmOutrunsTheBound) {
  Json report = GoldenReport();
  Each(report, "off", [](Json& s, int) { Delay(s, s["client"]["ttft_ns"].get<std::int64_t>()); });
  Respace(report);
  EXPECT_TRUE(Raises(Judge(report), "faster_than_prefill_skip_bound"));
}

TEST(LyingReport, ADirectionAgainstTheIntervalIsFound) {
  Json report = GoldenReport();
  report["claim"]["direction"] = "slower";
  EXPECT_TRUE(Raises(Judge(report), "summary_mismatch"));
}

// Whatever the plan declares, only the rows that may be declared are let off.
TEST(LyingReport, DeclaringEverythingMissingBuysNothing) {
  Json all = Json::array();
  for (const auto& check : Catalogue()) all.push_back(check.row);
  for (const char* field : {"prompt_ms", "cached_n", "processed_n", "prompt_tokens"}) {
    Json report = GoldenReport();
    report["plan"]["may_be_missing"] = all;
    All(report, [&](Json& s, int) { s["server"].erase(field); });
    Analysis a = Judge(report);
    EXPECT_NE(a.verdict, Verdict::kPass) << field;
  }
  Json equal = GoldenReport();
  equal["plan"]["may_be_missing"] = all;
  equal["equivalence"].erase("negative_controls");
  EXPECT_NE(Judge(equal).verdict, Verdict::kPass) << "equality is claimed: its checks may not be missing";
  equal["equivalence"] = {{"claim", "none"}};
  EXPECT_EQ(Judge(equal).verdict, Verdict::kPass) << Judge(equal).reason;
}

TEST(LyingReport, PassNeedsEveryCheckToSayOkOrToBeOnTheList) {
  Analysis good = Judge(GoldenReport());
  ASSERT_EQ(good.verdict, Verdict::kPass);
  for (const auto& answer : good.checks) {
    EXPECT_TRUE(answer.state == CheckAnswer::State::kOk || answer.may_be_missing)
        << answer.row << " " << answer.missing;
  }
}

TEST(LyingReport, NumbersThatNoCounterHoldsCrashNothing) {
  for (double v : {1e300, -1e300, 9007199254740992.0, -1.0, 0.5}) {
    for (const char* field : {"cached_n", "prompt_tokens", "processed_n", "slot"}) {
      Json report = GoldenReport();
      Nth(report, "on", 2)["server"][field] = v;
      Nth(report, "on", 3)["seq"] = v;
      Nth(report, "on", 4)["pair"] = v;
      EXPECT_FALSE(DumpJson(Judge(report).ToJson()).empty());
      EXPECT_NE(Judge(report).verdict, Verdict::kPass) << field << " " << v;
    }
  }
}

TEST(LyingReport, BytesThatTwoProgramsReadDifferentlyAreRefused) {
  std::string good = DumpJson(GoldenReport());
  auto with = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    auto at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return bytes.replace(at, from.size(), to);
  };
  for (const std::string& bytes :
       {with("\"seq\":0", "\"seq\":0,\"seq\":0"), with("\"pair\":0", "\"pair\":NaN"),
        with("\"pair\":0", "\"pair\":Infinity"), with("\"pair\":0", "\"pair\":1e999"),
        with("\"pair\":0", "\"pair\":9007199254740993"), with("\"pair\":0", "\"pair\":\"\\ud800\""),
        std::string(100'000, '['), good.substr(0, good.size() / 2), good + good}) {
    EXPECT_EQ(AnalyzeBytes(bytes).Codes(), std::vector<std::string>{"unparseable_report"})
        << bytes.substr(0, 60);
  }
  for (const char* value : {"-0.0", "\"12\"", "0", "-5", "[]", "{}", "true"}) {
    auto at = good.find("\"ttft_ns\":") + 10;
    std::string bytes = good;
    bytes.replace(at, bytes.find(',', at) - at, value);
    Analysis a = AnalyzeBytes(bytes);
    EXPECT_TRUE(Raises(a, "nonpositive_or_nan")) << value << " " << Seen(a);
  }
}

}  // namespace
}  // namespace helix::analysis
