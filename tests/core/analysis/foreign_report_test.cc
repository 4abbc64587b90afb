#include "core/analysis/foreign_report.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace helix::analysis {
namespace {

bool Blind(const AnyAnalysis& a, const std::string& row) {
  for (const auto& check : a.analysis.checks) {
    if (check.row == row) return check.state == CheckAnswer::State::kNotCheckable;
  }
  return false;
}

TEST(ForeignReport, LlamaBenchIsReadAndNeverPasses) {
  auto a = AnalyzeAnything(
      R"([{"build_commit":"abc","model_filename":"m.gguf","model_n_params":500000000,"n_prompt":512,"n_gen":0,
    "avg_ns":1,"samples_ns":[101000123,102000456,103000789]}])");
  EXPECT_EQ(a.tool, "llama-bench");
  EXPECT_EQ(a.analysis.statistics.off.n, 3u);
  EXPECT_NE(a.analysis.verdict, Verdict::kPass);
  EXPECT_TRUE(Blind(a, "A01"));
  EXPECT_FALSE(a.ToJson()["note"].get<std::string>().empty());
}

TEST(ForeignReport, LlamaBenchIsReadFromLinesToo) {
  auto a = AnalyzeAnything(
      "{\"n_prompt\":512,\"n_gen\":0,\"samples_ns\":[101000123,102000456]}\n"
      "{\"n_prompt\":0,\"n_gen\":32,\"samples_ns\":[203000789]}\n");
  EXPECT_EQ(a.tool, "llama-bench");
  EXPECT_EQ(a.analysis.statistics.off.n, 3u);
}

TEST(ForeignReport, AnEmptyReplyCountedAsATtftOfZeroIsFound) {
  auto a = AnalyzeAnything(
      R"({"model_id":"m","median_ttft_ms":0.0,"ttfts":[0.0,0.0,0.21],"input_lens":[9,9,9],"output_lens":[0,0,7],
    "errors":["","",""]})");
  auto codes = a.analysis.Codes();
  EXPECT_NE(std::find(codes.begin(), codes.end(), "nonpositive_or_nan"), codes.end());
}

TEST(ForeignReport, SaysWhichChecksItsMissingFieldsLeaveBlind) {
  auto a = AnalyzeAnything(R"({"model_id":"m","median_ttft_ms":30.0,"ttfts":[0.03],"errors":[""]})");
  Json json = a.ToJson();
  EXPECT_GT(json["not_checkable"].size(), 40u);
  for (const auto& check : json["not_checkable"]) EXPECT_FALSE(check["missing"].get<std::string>().empty());
  EXPECT_LT(json["checks_made"].get<std::size_t>(), json["checks_in_all"].get<std::size_t>());
}

TEST(ForeignReport, VllmBenchGivesItsRequestsAndItsBlindSpots) {
  auto a = AnalyzeAnything(
      R"({"model_id":"m","duration":12.5,"mean_ttft_ms":30.1,"median_ttft_ms":30.0,"max_concurrency":4,
    "ttfts":[0.0301,0.0299,0.0300],"input_lens":[100,100,100],"output_lens":[10,10,10],"errors":["","",""]})");
  EXPECT_EQ(a.tool, "vllm bench serve");
  EXPECT_EQ(a.analysis.statistics.off.n, 3u);
  EXPECT_NEAR(*a.analysis.statistics.off.ttft_ms_p50, 30.0, 1e-9);
  EXPECT_TRUE(Blind(a, "A03"));
  EXPECT_NE(a.analysis.verdict, Verdict::kPass);
}

TEST(ForeignReport, SglangLinesUseTheLastRun) {
  auto a = AnalyzeAnything(
      "{\"backend\":\"sglang\",\"request_rate\":4,\"total_input_tokens\":900,\"median_ttft_ms\":20,"
      "\"duration\":3}\n"
      "{\"backend\":\"sglang\",\"request_rate\":8,\"total_input_tokens\":900,\"median_ttft_ms\":25,"
      "\"duration\":3}\n");
  EXPECT_EQ(a.tool, "sglang bench_serving");
  EXPECT_NE(a.analysis.verdict, Verdict::kPass);
}

TEST(ForeignReport, AnythingElseIsJudgedAsAReport) {
  EXPECT_EQ(AnalyzeAnything("{}").tool, "helix.report/1");
  EXPECT_EQ(AnalyzeAnything("garbage").analysis.Codes(), std::vector<std::string>{"unparseable_report"});
}

}  // namespace
}  // namespace helix::analysis
