#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"
#include "core/analysis/golden/edit.h"
#include "core/base/random.h"
#include "core/evidence/digest.h"

namespace helix::analysis {
namespace {

using namespace edit;

void SetTtft(Json& s, std::int64_t ns) {
  Delay(s, ns - s["client"]["ttft_ns"].get<std::int64_t>());
  s["server"]["prompt_ms"] = static_cast<double>(ns) / 1e6 - 1.3;
}

void Rename(Json& r) {
  for (std::size_t i = 0; i < r["samples"].size(); ++i) r["samples"][i]["seq"] = i;
}

void Replan(Json& r) {
  Json order = Json::array();
  for (const auto& s : r["samples"]) order.push_back(s["arm"]);
  r["plan"]["order"] = order;
}

void ByArm(Json& r) {
  Json off = Json::array();
  Json on = Json::array();
  for (auto& s : r["samples"]) (s["arm"] == "off" ? off : on).push_back(s);
  for (auto& s : on) off.push_back(s);
  r["samples"] = off;
  Rename(r);
  Replan(r);
  Respace(r);
}

void Noisy(Json& r) {
  Json report = GoldenReport({11, 20, 0.2, 0, 1.5, 1.02});
  r["samples"] = report["samples"];
  r["plan"] = report["plan"];
  r["wall_ns"] = report["wall_ns"];
  // The tokens that such a small gain fits.
  Each(r, "on", [](Json& s, int) {
    s["expected_cached"] = 40;
    s["lcp_prev"] = 40;
    Reuse(s, 40);
  });
}

void Correlate(Json& r) {
  SplitMix64 random(5);
  double state = 0;
  All(r, [&](Json& s, int) {
    state = 0.93 * state + 0.02 * NormalQuantile(0.0005 + 0.999 * random.Unit());
    SetTtft(s, static_cast<std::int64_t>((s["arm"] == "on" ? 54e6 : 880e6) * std::exp(0.4 * state)));
  });
  Respace(r);
}

void AddNoiseFloor(Json& r, double factor) {
  Json samples = Json::array();
  SplitMix64 random(9);
  for (const auto& s : r["samples"]) {
    samples.push_back(s);
    if (s["arm"] != "off") continue;
    Json again = s;
    again["arm"] = "off_aa";
    again["raw_sha256"] = evidence::Sha256Hex("again " + std::to_string(samples.size()));
    SetTtft(again,
            static_cast<std::int64_t>(Num(s, "client", "ttft_ns") * factor * (1 + 0.01 * random.Unit())));
    samples.push_back(again);
  }
  r["samples"] = samples;
  Rename(r);
  Replan(r);
  Respace(r);
}

double P(Json& r, const char* arm, bool tail) {
  std::vector<double> x;
  Each(r, arm, [&](Json& s, int) { x.push_back(Num(s, "client", "ttft_ns")); });
  std::sort(x.begin(), x.end());
  return tail ? x[(x.size() * 950 + 999) / 1000 - 1] : (x[x.size() / 2] + x[x.size() / 2 - 1]) / 2;
}

void ClaimMeanOfRatios(Json& r) {
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
    int pair = Nth(r, "off", i)["pair"].get<int>();
    Each(r, "on", [&](Json& s, int) {
      if (s["pair"] == pair) sum += Num(Nth(r, "off", i), "client", "ttft_ns") / Num(s, "client", "ttft_ns");
    });
  }
  r["claim"]["speedup_ttft"] = sum / 20;
}

void Resend(Json& r) {
  for (int i = 0; i < 20; ++i) {
    Json s = Nth(r, "on", 0);
    s["seq"] = r["samples"].size();
    s["raw_sha256"] = evidence::Sha256Hex("resent " + std::to_string(i));
    SetTtft(s, 54'000'000 + 97'001 * ((i * 7) % 20) + i);
    r["samples"].push_back(s);
  }
  Respace(r);
}

constexpr unsigned kKeepClaim = kPlan | kTree;

}  // namespace

std::vector<Recipe> StatisticsRecipes() {
  return {
      {"D01",
       "n_too_small",
       "n-too-small",
       [](Json& r) {
         r = GoldenReport({3, 9});
       },
       {}},
      {"D02", "unpaired", "unpaired", [](Json& r) { Nth(r, "off", 3)["status"] = "error"; }, {}},
      {"D03a", "missing_samples", "missing-samples", [](Json& r) { r["samples"].erase(6); }, {"unpaired"}},
      {"D03b",
       "asymmetric_or_unruled_exclusion",
       "unruled-exclusion",
       [](Json& r) {
         int pair = Nth(r, "off", 2)["pair"].get<int>();
         All(r, [&](Json& s, int) {
           if (s["pair"] == pair) s["status"] = "excluded";
         });
       },
       {}},
      {"D04", "blocked_order", "blocked-order", ByArm, {}},
      {"D05",
       "drift",
       "drift",
       [](Json& r) {
         All(r, [](Json& s, int i) { ScalePrefill(s, 1 + 0.006 * i); });
         Respace(r);
       },
       {"autocorrelation"}},
      {"D06",
       "order_effect",
       "order-effect",
       [](Json& r) {
         All(r, [](Json& s, int i) {
           if (i % 2 == 1) ScalePrefill(s, 1.25);
         });
         Respace(r);
       },
       {}},
      {"D07", "autocorrelation", "autocorrelation", Correlate, {}},
      {"D08",
       "duplicate_rows",
       "duplicate-rows",
       [](Json& r) {
         Nth(r, "on", 9)["client"]["ttft_ns"] = Nth(r, "on", 2)["client"]["ttft_ns"];
         Nth(r, "on", 9)["client"]["total_ns"] = Nth(r, "on", 2)["client"]["total_ns"];
         Nth(r, "on", 9)["server"] = Nth(r, "on", 2)["server"];
         Respace(r);
       },
       {}},
      {"D09",
       "p95_unsupported",
       "p95-unsupported",
       [](Json& r) {
         r = GoldenReport({4, 12});
         r["claim"]["p95_is_max"] = false;
       },
       {},
       kKeepClaim},
      {"D10",
       "summary_mismatch",
       "summary-mismatch",
       [](Json& r) { r["claim"]["speedup_ttft"] = r["claim"]["speedup_ttft"].get<double>() * 1.3; },
       {},
       kKeepClaim},
      {"D11",
       "mixed_statistics",
       "mixed-statistics",
       [](Json& r) { r["claim"]["speedup_ttft"] = P(r, "off", true) / P(r, "on", false); },
       {"summary_mismatch"},
       kKeepClaim},
      {"D12", "best_of_runs", "best-of-runs", [](Json& r) { r["claim"]["runs_executed"] = 10; }, {}},
      {"D13", "ci_includes_1", "ci-includes-1", Noisy, {}},
      {"D14",
       "false_precision",
       "false-precision",
       [](Json& r) { r["claim"]["display"] = edit::ShownRatio(r, 5); },
       {}},
      {"D15a",
       "variance_too_low",
       "variance-too-low",
       [](Json& r) {
         Each(r, "on", [](Json& s, int i) { SetTtft(s, 60'123'457 + 3 * ((i * 7) % 20) + (i % 3)); });
         Respace(r);
       },
       {}},
      {"D15b",
       "round_numbers",
       "round-numbers",
       [](Json& r) {
         Each(r, "off", [](Json& s, int i) {
           if (i > 0) SetTtft(s, (s["client"]["ttft_ns"].get<std::int64_t>() / 1'000'000) * 1'000'000);
         });
         Each(r, "on", [](Json& s, int i) {
           if (i > 17) SetTtft(s, (s["client"]["ttft_ns"].get<std::int64_t>() / 1'000'000) * 1'000'000);
         });
         Respace(r);
       },
       {}},
      {"D16",
       "constant_ratio",
       "constant-ratio",
       [](Json& r) {
         for (int i = 0; i < 20; ++i) {
           Json off = Nth(r, "off", i);
           Each(r, "on", [&](Json& s, int) {
             if (s["pair"] == off["pair"])
               SetTtft(s, static_cast<std::int64_t>(Num(off, "client", "ttft_ns") / 15.7));
           });
         }
         Respace(r);
       },
       {}},
      {"D17",
       "arithmetic_sequence",
       "arithmetic-sequence",
       [](Json& r) {
         Each(r, "on", [](Json& s, int i) { SetTtft(s, 61'000'003 + 137'001 * i); });
         Respace(r);
       },
       {}},
      {"D18",
       "optional_stopping",
       "optional-stopping",
       [](Json& r) {
         r["plan"]["stopping"] = {{"rule", "p<0.05"}, {"looks", 7}};
       },
       {}},
      {"D19",
       "derived_as_measured",
       "derived-as-measured",
       [](Json& r) { r["claim"]["kind"] = "derived"; },
       {}},
      {"D20",
       "evidence_reused",
       "evidence-reused",
       [](Json& r) { Nth(r, "on", 3)["raw_sha256"] = Nth(r, "on", 2)["raw_sha256"]; },
       {}},
      {"D21", "noise_floor_ignored", "noise-floor-ignored", [](Json& r) { AddNoiseFloor(r, 1.08); }, {}},
      {"D22",
       "percent_ratio_confusion",
       "percent-ratio-confusion",
       [](Json& r) { r["claim"]["speedup_ttft"] = 100 * (1 - 1 / r["claim"]["speedup_ttft"].get<double>()); },
       {"summary_mismatch"},
       kKeepClaim},
      {"D23",
       "pooled_workloads",
       "pooled-workloads",
       [](Json& r) {
         All(r, [](Json& s, int) {
           bool ninth = s["pair"].get<int>() % 10 == 0;
           s["workload_id"] = ninth == (s["arm"] == "on") ? "w1" : "w2";
         });
       },
       {}},
      {"D24", "units_mismatch", "units-mismatch", [](Json& r) { r["claim"]["metric"] = "req/s"; }, {}},
      {"D25",
       "metric_switched",
       "metric-switched",
       [](Json& r) {
         r["plan"]["metric"] = "ttft";
         r["claim"]["metric"] = "total";
       },
       {}},
      {"D26", "mean_of_ratios", "mean-of-ratios", ClaimMeanOfRatios, {"summary_mismatch"}, kKeepClaim},
      {"D27",
       "duplicate_requests_counted",
       "duplicate-requests-counted",
       Resend,
       {"missing_samples", "unpaired"}},
      {"D28",
       "per_token_divided_by_total",
       "per-token-divided-by-total",
       [](Json& r) {
         All(r, [](Json& s, int) { s["server"]["ms_per_token"] = Num(s, "server", "prompt_ms") / 2176; });
       },
       {}},
  };
}

}  // namespace helix::analysis
