#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"
#include "core/analysis/golden/boundaries.h"
#include "core/analysis/golden/edit.h"
#include "core/analysis/report_view.h"
#include "core/analysis/statistics.h"
#include "core/base/random.h"
#include "core/evidence/digest.h"

namespace helix::analysis {
namespace {

using namespace edit;

constexpr unsigned kKeepClaim = kPlan | kTree;

void SetTtft(Json& s, double ns) {
  Delay(s, static_cast<std::int64_t>(ns) - s["client"]["ttft_ns"].get<std::int64_t>());
  s["server"]["prompt_ms"] = ns / 1e6 - 1.3;
}

// Twenty values with mean 0 and standard deviation 1, in no order.
double Standard(int i) {
  static const std::vector<double> values = [] {
    std::vector<double> out;
    double squares = 0;
    for (int k = 0; k < 20; ++k) {
      out.push_back(((k * 7) % 20 - 9.5) * (1 + 0.3 * ((k * 3) % 5)));
      squares += out.back() * out.back();
    }
    double mean = 0;
    for (double v : out) mean += v / 20;
    squares = 0;
    for (double& v : out) squares += (v - mean) * (v - mean);
    for (double& v : out) v = (v - mean) / std::sqrt(squares / 19);
    return out;
  }();
  return values[static_cast<std::size_t>(i) % 20];
}

// The calls in `runs` runs of one arm each.
void ArmsInRuns(Json& r, double runs) {
  std::vector<Json> arm[2];
  for (auto& s : r["samples"]) arm[s["arm"] == "on" ? 1 : 0].push_back(s);
  int n = static_cast<int>(runs);
  std::size_t used[2] = {0, 0};
  Json samples = Json::array();
  Json order = Json::array();
  for (int run = 0; run < n; ++run) {
    int which = run % 2;
    int of_arm = (n + 1 - which) / 2;
    auto until = static_cast<std::size_t>(20 * (run / 2 + 1) / of_arm);
    while (used[which] < until) {
      Json s = arm[which][used[which]++];
      s["seq"] = samples.size();
      order.push_back(s["arm"]);
      samples.push_back(s);
    }
  }
  r["samples"] = samples;
  r["plan"]["order"] = order;
  Respace(r);
}

void Trend(Json& r, double percent) {
  r = GoldenReport({4, 20, 0.005});
  All(r, [&](Json& s, int i) { ScalePrefill(s, std::exp(percent / 100 * i / 40)); });
  Respace(r);
}

void SecondCall(Json& r, double percent) {
  r = GoldenReport({4, 20, 0.003});
  All(r, [&](Json& s, int i) {
    if (i % 2 == 1) ScalePrefill(s, 1 + percent / 100);
  });
  Respace(r);
}

void LowerBound(Json& r, double bound) {
  r = GoldenReport({4, 20, 0.02, 0, 1.5, 1.05});
  Each(r, "on", [](Json& s, int) {
    s["expected_cached"] = 100;
    Reuse(s, 100);
  });
  Statistics s = StatisticsOf(ReadReport(r), {{42, 0}, 0});
  Each(r, "off", [&](Json& x, int) {
    SetTtft(x, std::floor(Num(x, "client", "ttft_ns") * bound / s.ttft->ratio.ci_low));
  });
  Respace(r);
}

void ColdAgain(Json& r, double factor) {
  Json samples = Json::array();
  Json order = Json::array();
  for (const auto& s : r["samples"]) {
    samples.push_back(s);
    if (s["arm"] != "off") continue;
    Json again = s;
    again["arm"] = "off_aa";
    again["raw_sha256"] = evidence::Sha256Hex("again " + std::to_string(samples.size()));
    SetTtft(again,
            Num(s, "client", "ttft_ns") * factor * (1 + 0.002 * Standard(static_cast<int>(samples.size()))));
    samples.push_back(again);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i]["seq"] = i;
    order.push_back(samples[i]["arm"]);
  }
  r["samples"] = samples;
  r["plan"]["order"] = order;
  Respace(r);
}

void WholeMilliseconds(Json& r, double how_many) {
  All(r, [&](Json& s, int i) {
    if (i < how_many) SetTtft(s, std::floor(Num(s, "client", "ttft_ns") / 1e6) * 1e6);
  });
  Respace(r);
}

void Neighbours(Json& r, double phi) {
  SplitMix64 random(5);
  double state = 0;
  All(r, [&](Json& s, int) {
    state = phi * state + NormalQuantile(0.0005 + 0.999 * random.Unit()) * std::sqrt(1 - phi * phi);
    SetTtft(s, (s["arm"] == "on" ? 54e6 : 880e6) * std::exp(0.02 * state));
  });
  Respace(r);
}

// Decimals of the displayed ratio; the interval of the golden report supports three.
void Decimals(Json& r, double decimals) {
  r["claim"]["display"] = ShownRatio(r, static_cast<int>(decimals));
}

void ClaimTimes(Json& r, double parts_per_million) {
  r["claim"]["speedup_ttft"] = r["claim"]["speedup_ttft"].get<double>() * (1 + parts_per_million * 1e-6);
}

}  // namespace

std::vector<Boundary> StatisticsBoundaries() {
  return {
      {"D01", "n_too_small", "ten-calls-an-arm",
       [](Json& r, double v) {
         r = GoldenReport({3, static_cast<int>(v)});
       },
       10, 9},
      {"D04", "blocked_order", "runs-of-one-arm", ArmsInRuns, 12, 11},
      {"D05", "drift", "five-percent-over-the-run", Trend, 3, 8},
      {"D06", "order_effect", "two-percent-for-the-second-call", SecondCall, 1.5, 3},
      {"D07", "autocorrelation", "neighbours-agree", Neighbours, 0.2, 0.9},
      {"D08", "duplicate_rows", "a-microsecond-apart",
       [](Json& r, double v) {
         Json& s = Nth(r, "on", 9);
         const Json& other = Nth(r, "on", 2);
         s["server"] = other["server"];
         for (const char* time : {"ttft_ns", "total_ns"})
           s["client"][time] = other["client"][time].get<std::int64_t>() + static_cast<std::int64_t>(v);
         Respace(r);
       },
       1001, 1000},
      {"D09", "p95_unsupported", "twenty-calls-an-arm",
       [](Json& r, double v) {
         r = GoldenReport({3, static_cast<int>(v)});
         r["claim"]["p95_is_max"] = false;
       },
       20, 19, kKeepClaim},
      {"D10", "summary_mismatch", "a-millionth", ClaimTimes, 0.9, 1.1, kKeepClaim},
      {"D12", "best_of_runs", "runs-reported", [](Json& r, double v) { r["claim"]["runs_executed"] = v; }, 1,
       2},
      {"D13", "ci_includes_1", "lower-bound-at-one", LowerBound, 1.001, 0.999},
      {"D14", "false_precision", "digits-beyond-the-interval", Decimals, 3, 4},
      {"D15a", "variance_too_low", "a-ten-thousandth",
       [](Json& r, double v) {
         Each(r, "on", [&](Json& s, int i) { SetTtft(s, 54'123'457 * std::exp(v * Standard(i))); });
         Respace(r);
       },
       1.1e-4, 0.9e-4},
      {"D15b", "round_numbers", "half-of-the-times", WholeMilliseconds, 20, 21},
      {"D16", "constant_ratio", "a-ten-thousandth-of-the-ratio",
       [](Json& r, double v) {
         for (int i = 0; i < 20; ++i) {
           Json off = Nth(r, "off", i);
           Each(r, "on", [&](Json& s, int) {
             if (s["pair"] == off["pair"])
               SetTtft(s, Num(off, "client", "ttft_ns") / 15.7 * std::exp(v * Standard(i)));
           });
         }
         Respace(r);
       },
       1.1e-4, 0.9e-4},
      {"D17", "arithmetic_sequence", "two-nanoseconds-off-the-step",
       [](Json& r, double v) {
         Each(r, "on", [&](Json& s, int i) { SetTtft(s, 61'000'003.0 + 137'001.0 * i + (i == 10 ? v : 0)); });
         Respace(r);
       },
       2, 1},
      {"D18", "optional_stopping", "one-look",
       [](Json& r, double v) {
         r["plan"]["stopping"] = {{"rule", "fixed"}, {"looks", v}};
       },
       1, 2},
      {"D18", "optional_stopping", "alpha-of-ten-looks",
       [](Json& r, double v) {
         r["plan"]["stopping"] = {{"rule", "p"}, {"looks", 10}, {"alpha_per_look", v}};
       },
       0.010, 0.012},
      {"D21", "noise_floor_ignored", "two-percent-between-equal-calls", ColdAgain, 1.018, 1.023},
      {"D27", "duplicate_requests_counted", "resends-as-planned",
       [](Json& r, double v) {
         r["plan"]["resends"] = v;
         Nth(r, "on", 1)["req"]["prompt_sha256"] = Nth(r, "on", 0)["req"]["prompt_sha256"];
       },
       1, 0},
      {"F13", "hit_rate_misweighted", "a-millionth-of-the-hit-rate",
       [](Json& r, double v) { r["claim"]["hit_rate"] = 2048.0 / 2176 * (1 + v * 1e-6); }, 0.9, 1.1},
      {"F14", "missing_samples", "pairs-as-planned", [](Json& r, double v) { r["plan"]["n_pairs"] = v; }, 20,
       21},
  };
}

}  // namespace helix::analysis
