// Track A on the stub backend: what it must never say, whatever the server does. The stub is a fake.
#include "core/tracks/track_a.h"

#include <gtest/gtest.h>

#include <regex>

#include "core/analysis/analyze.h"
#include "core/backend/stub.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "core/tracks/track_a_text.h"
#include "tests/support/paths.h"

namespace helix::tracks {
namespace {

using backend::Stub;
using backend::StubOptions;

Result<Json> RunStub(const StubOptions& stub_options = {}, const RunContext& context = {}) {
  auto stub = std::make_unique<Stub>(stub_options);
  Stub* clock = stub.get();
  Target target;
  target.identity = *stub->Identify({});
  target.backend = std::move(stub);
  Settings settings;
  settings.report_dir = testing_support::ScratchDir();
  return RunTrackAOn(target, {}, settings, context, [clock] { return clock->NowNs(); });
}

Json ReportOf(const Json& result) {
  auto report = ReadJsonFile(StringAt(result, "report_path").value_or(""));
  EXPECT_TRUE(report);
  return report ? *report : Json();
}

std::vector<std::string> Codes(const Json& result) {
  std::vector<std::string> codes;
  for (const Json& finding : result["findings"]) codes.push_back(StringAt(finding, "code").value_or(""));
  return codes;
}

// One run, many questions: each costs a whole analysis.
TEST(TrackA, AHealthyStubGivesEveryNumberMarkedSyntheticAndNeverAPass) {
  const auto run = RunStub();
  ASSERT_TRUE(run) << run.error().Text();
  const Json& result = *run;
  EXPECT_EQ(result["synthetic"], true);
  EXPECT_NE(result["verdict"], "PASS");
  for (const char* name :
       {"verdict", "synthetic", "model", "report_path", "report_sha256", "pairs", "prefill_ratio",
        "end_to_end_ratio", "decode_ratio", "skip_bound", "off", "on", "equivalence", "findings"}) {
    EXPECT_TRUE(result.contains(name)) << name;
  }
  for (const char* ratio : {"prefill_ratio", "end_to_end_ratio", "decode_ratio"}) {
    for (const char* part : {"value", "ci_low", "ci_high"})
      EXPECT_TRUE(result[ratio][part].is_number()) << ratio;
  }
  for (const char* arm : {"off", "on"}) {
    for (const char* name : {"n", "failed", "cached_max", "reused_share_min", "ttft_ms_p50", "ttft_ms_p95",
                             "p95_is_max", "prefill_ms_p50", "total_ms_p50", "decode_tokens_per_s"}) {
      EXPECT_TRUE(result[arm].contains(name)) << arm << ' ' << name;
    }
  }
  EXPECT_EQ(result["pairs"], 10);
  // The stub's formula is 0.3 ms + 0.4 ms a token: 576 tokens against 64, with 2 % of noise on each call.
  const double made = (0.3 + 576 * 0.4) / (0.3 + 64 * 0.4);
  EXPECT_NEAR(result["prefill_ratio"]["value"].get<double>(), made, 0.03 * made);
  EXPECT_EQ(result["skip_bound"], 9.0);
  EXPECT_EQ(result["equivalence"]["class"], "EXACT");

  const auto bytes = ReadFile(result["report_path"].get<std::string>());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(evidence::Sha256Hex(*bytes), result["report_sha256"]);
  EXPECT_EQ(analysis::VerdictName(analysis::AnalyzeBytes(*bytes).verdict), result["verdict"]);
  EXPECT_EQ(ReportOf(result)["synthetic"], true);

  Json with_notice = result;
  with_notice["notices"] = {"SYNTHETIC WEIGHTS: random."};
  const std::string text = TrackAText(with_notice);
  EXPECT_EQ(text.find("*** SYNTHETIC WEIGHTS"), 0U);
  for (const char* word : {"prefill ratio", "end-to-end ratio", "decode ratio", "skip bound",
                           "what the cache skips", "SHA-256", "95 % interval"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
}

TEST(TrackA, ACacheThatIsOffIsAFailureWithoutAnySpeedUp) {
  for (const std::int64_t reused : {0, 1}) {
    StubOptions options;
    options.faults.reuses_at_most = reused;
    const auto result = RunStub(options);
    ASSERT_TRUE(result);
    EXPECT_EQ((*result)["verdict"], "FAIL") << reused;
    EXPECT_EQ((*result)["on"]["verified"], "mislabelled");
    for (const char* ratio : {"prefill_ratio", "ttft_ratio", "end_to_end_ratio", "skip_bound"}) {
      EXPECT_TRUE((*result)[ratio].is_null()) << ratio << " with " << reused << " reused tokens";
    }
    const auto codes = Codes(*result);
    EXPECT_NE(std::find(codes.begin(), codes.end(), "on_arm_never_hit"), codes.end()) << reused;
  }
}

TEST(TrackA, AColdArmThatWasWarmIsAFailureWithoutAnySpeedUp) {
  StubOptions options;
  options.faults.ignores_the_switch = true;
  const auto result = RunStub(options);
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["verdict"], "FAIL");
  EXPECT_TRUE((*result)["prefill_ratio"].is_null());
}

TEST(TrackA, CountersThatTheClockContradictsAreAFailure) {
  StubOptions options;
  options.faults.claims_reuse_only = true;
  const auto result = RunStub(options);
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["verdict"], "FAIL");
}

TEST(TrackA, AnswersThatTheCacheCorruptsAreAFailureWhateverTheSpeedUp) {
  StubOptions options;
  options.faults.corrupts_reused_output = true;
  const auto result = RunStub(options);
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["equivalence"]["class"], "CORRUPTION") << DumpJson((*result)["equivalence"]);
  EXPECT_EQ((*result)["verdict"], "FAIL");
  const auto codes = Codes(*result);
  EXPECT_EQ(std::count(codes.begin(), codes.end(), "DIVERGED_DEFECT"), 1);
  const Json followed = (*result)["equivalence"]["followed_up"];
  ASSERT_EQ(followed.size(), 3U) << "three of the ten pairs are asked again with log-probabilities";
  for (const Json& one : followed) EXPECT_EQ(one["class"], "CORRUPTION") << one["reason"];
  const auto bytes = ReadFile((*result)["report_path"].get<std::string>());
  EXPECT_EQ(analysis::VerdictName(analysis::AnalyzeBytes(*bytes).verdict), std::string("FAIL"))
      << "the stored report is judged alike";
  EXPECT_EQ(ReportOf(*result)["equivalence"]["claim"], "none");
  EXPECT_TRUE((*result)["equivalence"]["first_divergence"].is_number());
}

TEST(TrackA, ADyingServerLeavesARowForEveryPlannedCall) {
  StubOptions options;
  options.faults.dies_at_call = 20;
  const auto result = RunStub(options);
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_TRUE((*result)["verdict"] == "FAIL" || (*result)["verdict"] == "INCONCLUSIVE");
  EXPECT_GT((*result)["off"]["failed"].get<int>(), 0);
  EXPECT_GT((*result)["off"]["n"].get<int>(), 0);
  EXPECT_TRUE((*result)["stopped_because"].is_string());
  const Json report = ReportOf(*result);
  EXPECT_EQ(report["samples"].size(), report["plan"]["order"].size());
}

TEST(TrackA, AServerWithoutCountersIsASkipWithoutNumbers) {
  StubOptions options;
  options.faults.hides_counters = true;
  const auto result = RunStub(options);
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["verdict"], "SKIP");
  EXPECT_EQ((*result)["skip_code"], "topology_unsupported");
  EXPECT_EQ(result->size(), 4U);
  const std::string text = TrackAText(*result);
  EXPECT_NE(text.find("unsupported_counter"), std::string::npos);
  EXPECT_FALSE(std::regex_search(text, std::regex("[0-9]\\s*(\xC3\x97|x\\b|%)"))) << text;
}

TEST(TrackA, ACancelledRunLeavesNoReport) {
  std::stop_source stop;
  RunContext context;
  context.stop = stop.get_token();
  context.progress = [&stop](const Progress& progress) {
    if (progress.done >= 5) stop.request_stop();
  };
  const auto result = RunStub({}, context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(TrackA, RefusesAnEndpointTogetherWithAServerOfItsOwn) {
  TrackAOptions options;
  options.target.managed = true;
  options.target.endpoint = "http://localhost:1";
  const auto result = RunTrackA(options, {}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
}

TEST(TrackA, AnAgentCannotReachAHostThatTheUserDidNotAllow) {
  Settings settings;
  settings.endpoint = "http://localhost:18434";
  settings.from_agent = true;
  TrackAOptions options;
  options.target.endpoint = "http://192.0.2.7:8080";
  const auto result = RunTrackA(options, settings, {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "skip_code"), "feature_disabled_by_config");
  EXPECT_EQ(StringAt(*result, "skip_reason").value_or("").find("endpoint_not_allowed:"), 0U);
}

}  // namespace
}  // namespace helix::tracks
