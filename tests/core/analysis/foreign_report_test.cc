#include "core/analysis/foreign_report.h"

#include <gtest/gtest.h>

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
