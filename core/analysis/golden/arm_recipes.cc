#include <cmath>

#include "core/analysis/golden/edit.h"

namespace helix::analysis {
namespace {

using namespace edit;

// The required one: a cache-off run relabelled as cache-on.
void Relabel(Json& r, int reused) {
  Json report = GoldenReport({7, 20, 0.03, 0, 1.5, 1.0});
  r["samples"] = report["samples"];
  r["plan"] = report["plan"];
  r["wall_ns"] = report["wall_ns"];
  Each(r, "on", [&](Json& s, int) { Reuse(s, reused); });
}

void SwapLabels(Json& r) {
  All(r, [](Json& s, int) { s["arm"] = s["arm"] == "on" ? "off" : "on"; });
}

void AddPrimes(Json& r, int slot) {
  Json samples = Json::array();
  Json order = Json::array();
  for (auto s : r["samples"]) {
    if (s["arm"] == "on") {
      Json prime = s;
      prime["arm"] = "prime";
      prime["server"]["slot"] = slot;
      prime["raw_sha256"] = GoldenReport()["plan_sha256"].get<std::string>().substr(8) +
                            std::to_string(10000000 + samples.size());
      samples.push_back(prime);
      order.push_back("prime");
    }
    order.push_back(s["arm"]);
    s["server"]["slot"] = 0;
    samples.push_back(s);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i]["seq"] = i;
  r["samples"] = samples;
  r["plan"]["order"] = order;
  Respace(r);
}

}  // namespace

std::vector<Recipe> ArmRecipes() {
  return {
      {"A01", "on_arm_never_hit", "on-arm-never-hit", [](Json& r) { Relabel(r, 0); }, {"ci_includes_1"}},
      {"A01", "on_arm_never_hit", "on-arm-one-token", [](Json& r) { Relabel(r, 1); }, {"ci_includes_1"}},
      {"A02", "arm_label_ne_plan", "arm-label-ne-plan", SwapLabels, {"cold_arm_warm", "on_arm_never_hit"}},
      {"A03",
       "cold_arm_warm",
       "cold-arm-warm",
       [](Json& r) { Each(r, "off", [](Json& s, int) { Reuse(s, 2048); }); },
       {}},
      {"A04",
       "on_arm_never_hit",
       "below-provider-minimum",
       [](Json& r) {
         Relabel(r, 0);
         r["plan"]["min_cacheable_tokens"] = 4096;
       },
       {"ci_includes_1"}},
      {"A05",
       "cold_arm_contaminated",
       "cold-arm-contaminated",
       [](Json& r) { Reuse(Nth(r, "off", 3), 2048); },
       {}},
      {"A06",
       "warm_arm_evicted",
       "warm-arm-evicted",
       [](Json& r) {
         Each(r, "on", [](Json& s, int i) {
           if (i >= 4 && i <= 6) {
             Reuse(s, 0);
             ScalePrefill(s, 16);
           }
         });
         Respace(r);
       },
       {}},
      {"A07a",
       "cached_gt_prompt",
       "cached-gt-prompt",
       [](Json& r) {
         Json& s = Nth(r, "on", 2);
         s["lcp_prev"] = 2176;
         Reuse(s, 2176);
       },
       {}},
      {"A07b", "over_reuse", "over-reuse", [](Json& r) { Nth(r, "on", 2)["lcp_prev"] = 1990; }, {}},
      {"A07c",
       "not_block_aligned",
       "not-block-aligned",
       [](Json& r) {
         r["backend"]["block_size"] = 16;
         Reuse(Nth(r, "on", 1), 2045);
       },
       {}},
      {"A08",
       "const_cached_eq_prompt_minus_1",
       "const-cached-eq-prompt-minus-1",
       [](Json& r) {
         All(r, [](Json& s, int) {
           s["lcp_prev"] = 2176;
           Reuse(s, 2175);
         });
       },
       {"cold_arm_warm"}},
      {"A09",
       "cross_salt_hit",
       "cross-salt-hit",
       [](Json& r) { Nth(r, "on", 0)["salt_differs"] = true; },
       {}},
      {"A10",
       "counter_identity",
       "counter-identity",
       [](Json& r) { Nth(r, "on", 0)["server"]["processed_n"] = 2176; },
       {}},
      {"A11a",
       "hit_but_no_time_saved",
       "hit-but-no-time-saved",
       [](Json& r) { Relabel(r, 2048); },
       {"ci_includes_1"}},
      {"A11b",
       "faster_than_prefill_skip_bound",
       "faster-than-skipping",
       [](Json& r) {
         Each(r, "on", [](Json& s, int) { ScalePrefill(s, 1.0 / 40); });
         Respace(r);
       },
       {"prefill_below_flop_floor"}},
      {"A12",
       "response_cache",
       "response-cache",
       [](Json& r) {
         Each(r, "on", [](Json& s, int) {
           s["client"]["total_ns"] = s["client"]["ttft_ns"].get<std::int64_t>() + 900;
         });
       },
       {"decode_below_bandwidth_floor", "server_gt_client"}},
      {"A12",
       "response_cache",
       "replayed-response-id",
       [](Json& r) {
         Each(r, "on", [](Json& s, int i) {
           s["server"]["response_id"] = i == 3 ? "resp-2" : "resp-" + std::to_string(i);
         });
       },
       {}},
      {"A13", "prime_cost_hidden", "prime-cost-hidden", [](Json& r) { r["plan"]["prime"] = true; }, {}},
      {"A14",
       "other_feature_differs",
       "other-feature-differs",
       [](Json& r) {
         Set(r, "on", "server", "flags", {{"speculative", true}});
         Set(r, "off", "server", "flags", {{"speculative", false}});
       },
       {}},
      {"A15", "cross_slot_luck", "cross-slot-luck", [](Json& r) { AddPrimes(r, 3); }, {}},
      {"A16",
       "trivial_prefix_as_hit",
       "trivial-prefix-as-hit",
       [](Json& r) {
         r["backend"]["cold_allow"] = 12;
         Relabel(r, 12);
         r["claim"]["hit_rate"] = 1.0;
       },
       {"ci_includes_1", "on_arm_never_hit"}},
  };
}

}  // namespace helix::analysis
