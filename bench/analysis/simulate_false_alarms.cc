// simulate_false_alarms [reports]: sound reports of many seeds, sizes, noises and tails, and how often each
// check raises a finding on them. Synthetic numbers.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "core/analysis/analyze.h"
#include "core/analysis/golden/golden.h"

int main(int argc, char** argv) {
  using namespace helix;
  using namespace helix::analysis;
  int reports = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int sizes[] = {10, 12, 20, 30, 50};
  const double sigmas[] = {0.01, 0.02, 0.05, 0.10, 0.20};
  const double tails[] = {0, 0.02, 0.05};
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  std::map<std::string, int> by_code;
  int any = 0;
  int failed = 0;
  int passed = 0;
  for (int i = 0; i < reports; ++i) {
    GoldenOptions golden{static_cast<std::uint64_t>(1000 + i), sizes[i % 5], sigmas[(i / 5) % 5],
                         tails[(i / 25) % 3], 1.5};
    Analysis analysis = Analyze(GoldenReport(golden), options);
    for (const auto& code : analysis.Codes()) ++by_code[code];
    any += analysis.findings.empty() ? 0 : 1;
    failed += analysis.verdict == Verdict::kFail ? 1 : 0;
    passed += analysis.verdict == Verdict::kPass ? 1 : 0;
  }
  auto percent = [&](int n) { return 100.0 * n / reports; };
  std::printf("%d sound reports: any code %.2f %%, fail %.2f %%, PASS %.2f %%\n", reports, percent(any),
              percent(failed), percent(passed));
  for (const auto& [code, n] : by_code) std::printf("  %-32s %.2f %%\n", code.c_str(), percent(n));
  return 0;
}
