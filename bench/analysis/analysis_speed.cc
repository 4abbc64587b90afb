// bench_analysis_speed [samples]: CPU seconds of the analysis of a report that is in memory (parsing apart),
// and how it grows. Default 1,000,000 samples. The samples are synthetic.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>

#include "core/analysis/analyze.h"
#include "core/analysis/golden/golden.h"
#include "core/analysis/report_view.h"
#include "core/base/random.h"
#include "core/evidence/digest.h"
#include "core/evidence/merkle.h"

namespace {

using namespace helix;
using namespace helix::analysis;

double CpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Rows as a reader would have made them, without a JSON document of several gigabytes behind them.
ReportView MakeView(const Json& root, std::size_t samples, std::deque<std::string>& texts) {
  ReportView view;
  view.root = &root;
  ReserveSamples(view, samples);
  view.samples.resize(samples);
  SplitMix64 random(1);
  double t = 1e12;
  for (std::size_t i = 0; i < samples; ++i) {
    SampleView& s = view.samples[i];
    bool on = (i % 4 == 1) || (i % 4 == 2);
    texts.push_back(std::to_string(i) + std::string(56, 'a'));
    s.index = i;
    s.arm = on ? Arm::kOn : Arm::kOff;
    s.arm_name = on ? "on" : "off";
    s.status = "ok";
    s.env_id = "e1";
    s.prompt_sha256 = texts[i / 2 * 2];
    s.params_sha256 = "p";
    s.ttft_event = "first_token";
    s.finish = "length";
    s.boot_id = "b1";
    s.tokens_source = "server";
    s.seq = static_cast<double>(i);
    s.pair = static_cast<double>(i / 2);
    s.expected_cached = on ? 2048 : 0;
    s.lcp_prev = 2048;
    s.concurrency = 1;
    s.ttft_ns =
        static_cast<double>(static_cast<std::int64_t>((on ? 54e6 : 880e6) * (0.95 + 0.1 * random.Unit())));
    s.total_ns =
        s.ttft_ns + static_cast<double>(static_cast<std::int64_t>(249e6 * (0.99 + 0.02 * random.Unit())));
    s.t_send_ns = t;
    t += s.total_ns + 3e6;
    s.prompt_tokens = 2176;
    s.cached_n = on ? 2048 : 0;
    s.processed_n = 2176 - s.cached_n;
    s.prompt_ms = s.ttft_ns / 1e6 - 1.3;
    s.predicted_ms = 240 + 8 * random.Unit();
    s.out_n = 32;
    s.conn_reused = Flag::kTrue;
    s.truncated = Flag::kFalse;
  }
  return view;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  Json root = GoldenReport();
  root.erase("samples");
  root.erase("claim");
  root["plan"].erase("order");
  SealReport(root, kPlan);
  root["wall_ns"] = 1e18;
  for (std::size_t n : {most / 4, most / 2, most}) {
    std::deque<std::string> texts;
    ReportView view = MakeView(root, n, texts);
    double start = CpuSeconds();
    IndexArms(view);
    Analysis analysis = AnalyzeView(view);
    double took = CpuSeconds() - start;
    std::printf("%zu samples: %.3f s CPU, %.0f ns a sample, ratio %.4f, verdict %s\n", n, took,
                took / static_cast<double>(n) * 1e9,
                analysis.statistics.ttft ? analysis.statistics.ttft->ratio.value : 0.0,
                VerdictName(analysis.verdict));
  }
  std::vector<std::string> leaves;
  for (std::size_t i = 0; i < most; ++i) leaves.push_back(evidence::Sha256Hex(std::to_string(i)));
  double hashing = CpuSeconds();
  evidence::Digest tree{};
  if (!evidence::MerkleRootOfHexDigests(leaves, tree)) return 1;
  std::printf("the tree over as many replies, apart: %.3f s CPU\n", CpuSeconds() - hashing);
  Json report = GoldenReport({1, 50, 0.03});
  std::string bytes = DumpJson(report);
  double start = CpuSeconds();
  int rounds = 200;
  for (int i = 0; i < rounds; ++i) {
    auto parsed = ParseStrict(bytes);
    if (!parsed) return 1;
  }
  std::printf("parsing, apart: %.0f ns a sample\n", (CpuSeconds() - start) / rounds / 100 * 1e9);
  return 0;
}
