#include "core/analysis/golden/boundaries.h"
#include "core/analysis/golden/edit.h"

namespace helix::analysis {
namespace {

using namespace edit;

void ReuseOf(Json& sample, double cached) {
  Reuse(sample, static_cast<int>(cached));
}

void WarmColdCalls(Json& r, double how_many) {
  Each(r, "off", [&](Json& s, int i) {
    if (i < how_many) Reuse(s, 2048);
  });
}

// Nearly no noise, so that the interval is narrow beside the threshold.
void GoldenRatio(Json& r, double ratio) {
  r = GoldenReport({7, 20, 0.002, 0, 1.5, ratio});
}

// Both arms say prompt - 1; the last call says `less` below it.
void AlwaysPromptLessOne(Json& r, double less) {
  All(r, [&](Json& s, int i) {
    s["lcp_prev"] = 2176;
    Reuse(s, i == 39 ? 2175 - static_cast<int>(less) : 2175);
  });
}

void DecodeShare(Json& r, double share) {
  Each(r, "on", [&](Json& s, int) {
    s["client"]["total_ns"] = static_cast<std::int64_t>(Num(s, "client", "ttft_ns") / (1 - share));
  });
}

}  // namespace

std::vector<Boundary> CounterBoundaries() {
  return {
      {"A01", "on_arm_never_hit", "half-of-the-expected-prefix",
       [](Json& r, double v) { Each(r, "on", [&](Json& s, int) { ReuseOf(s, v); }); }, 1024, 1023},
      {"A03", "cold_arm_warm", "half-of-the-cold-calls", WarmColdCalls, 9, 10},
      {"A05", "cold_arm_contaminated", "cold-allow", [](Json& r, double v) { ReuseOf(Nth(r, "off", 3), v); },
       1, 2},
      {"A06", "warm_arm_evicted", "half-of-one-prefix",
       [](Json& r, double v) { ReuseOf(Nth(r, "on", 3), v); }, 1024, 1023},
      {"A07a", "cached_gt_prompt", "one-token-is-evaluated",
       [](Json& r, double v) { ReuseOf(Nth(r, "on", 2), v); }, 2175, 2176},
      {"A07b", "over_reuse", "longest-prefix-seen",
       [](Json& r, double v) { Nth(r, "on", 2)["lcp_prev"] = v; }, 2048, 2047},
      {"A07c", "not_block_aligned", "whole-block",
       [](Json& r, double v) {
         r["backend"]["block_size"] = 16;
         ReuseOf(Nth(r, "on", 1), v);
       },
       2048, 2047},
      {"A08", "const_cached_eq_prompt_minus_1", "one-call-differs", AlwaysPromptLessOne, 1, 0},
      {"A09", "cross_salt_hit", "cold-allow-under-another-salt",
       [](Json& r, double v) {
         Json& s = Nth(r, "off", 0);
         s["salt_differs"] = true;
         ReuseOf(s, v);
       },
       1, 2},
      {"A10", "counter_identity", "sum-of-counters",
       [](Json& r, double v) { Nth(r, "on", 0)["server"]["processed_n"] = v; }, 128, 129},
      {"A11a", "hit_but_no_time_saved", "fifteen-percent-saved", GoldenRatio, 1.16, 1.14},
      {"A11b", "faster_than_prefill_skip_bound", "ten-percent-beyond-the-bound", GoldenRatio, 18.0, 18.5},
      {"A12", "response_cache", "thousandth-of-the-total", DecodeShare, 0.0011, 0.0009},
      {"A12", "response_cache", "five-tokens-at-once",
       [](Json& r, double v) {
         DecodeShare(r, 0.0005);
         SetAll(r, "out", "n", v);
       },
       4, 5},
      {"A16", "trivial_prefix_as_hit", "hit-above-cold-allow",
       [](Json& r, double v) {
         r["backend"]["cold_allow"] = 12;
         Each(r, "on", [&](Json& s, int) { ReuseOf(s, v); });
         r["claim"]["hit_rate"] = 1.0;
       },
       13, 12},
      {"B02", "prompt_tokens_differ", "one-token-longer",
       [](Json& r, double v) { Nth(r, "on", 0)["server"]["prompt_tokens"] = v; }, 2176, 2177},
      {"B03", "output_len_differs", "one-token-shorter",
       [](Json& r, double v) { Nth(r, "on", 0)["out"]["n"] = v; }, 32, 31},
      {"B05", "truncated", "context-just-fits", [](Json& r, double v) { r["backend"]["n_ctx"] = v; }, 2208,
       2207},
      {"B05", "truncated", "tokens-as-sent",
       [](Json& r, double v) { SetAll(r, "req", "client_prompt_tokens", v); }, 2176, 2177},
      {"B10", "load_differs", "one-request-running",
       [](Json& r, double v) { Nth(r, "off", 1)["server"]["running"] = v; }, 1, 2},
      {"B14", "nonce_not_first", "shared-before-the-nonce",
       [](Json& r, double v) {
         r["plan"]["cold_method"] = "nonce";
         Each(r, "off", [&](Json& s, int) { s["lcp_prev"] = v; });
       },
       1, 2},
  };
}

}  // namespace helix::analysis
