#include "core/analysis/golden/edit.h"
#include "core/evidence/digest.h"

namespace helix::analysis {
namespace {

using namespace edit;

void DropPair(Json& r) {
  Json samples = Json::array();
  Json order = Json::array();
  for (auto s : r["samples"]) {
    if (s["pair"] == 3) continue;
    s["seq"] = samples.size();
    order.push_back(s["arm"]);
    samples.push_back(s);
  }
  r["samples"] = samples;
  r["plan"]["order"] = order;
}

double Rate(Json& r) {
  double tokens = 0;
  double ms = 0;
  Each(r, "on", [&](Json& s, int) {
    tokens += 2176;
    ms += Num(s, "server", "prompt_ms");
  });
  return tokens / ms * 1000;
}

void MeanOfRates(Json& r) {
  Json& s = Nth(r, "on", 0);
  double sum = 0;
  Each(r, "on",
       [&](Json& on, int) { sum += Num(on, "server", "cached_n") / Num(on, "server", "prompt_tokens"); });
  int pair = s["pair"].get<int>();
  // One longer prompt in both arms makes the weighting matter.
  All(r, [&](Json& x, int) {
    if (x["pair"] == pair) {
      x["server"]["prompt_tokens"] = 2250;
      x["server"]["processed_n"] = 2250 - x["server"]["cached_n"].get<int>();
    }
  });
  sum += 2048.0 / 2250 - 2048.0 / 2176;
  r["claim"]["hit_rate"] = sum / 20;
}

}  // namespace

std::vector<Recipe> ProvenanceRecipes() {
  return {
      {"F01",
       "evidence_hash_mismatch",
       "evidence-hash-mismatch",
       [](Json& r) {
         r["evidence"] = {{evidence::Sha256Hex("a"), "b"}};
       },
       {}},
      {"F02",
       "merkle_mismatch",
       "merkle-mismatch",
       [](Json& r) { Nth(r, "on", 3)["raw_sha256"] = evidence::Sha256Hex("another"); },
       {},
       kClaim | kPlan},
      {"F03", "plan_changed", "plan-changed", [](Json& r) { r["plan"]["n_pairs"] = 19; }, {}, kClaim | kTree},
      {"F04",
       "plan_after_data",
       "plan-after-data",
       [](Json& r) { r["t_plan_ns"] = r["samples"][5]["client"]["t_send_ns"]; },
       {}},
      {"F05a",
       "pass_without_samples",
       "pass-without-samples",
       [](Json& r) {
         r["samples"] = Json::array();
         r["plan"]["order"] = Json::array();
         r["plan"]["n_pairs"] = 0;
       },
       {"n_too_small"}},
      {"F05b",
       "skip_counted_as_pass",
       "skip-counted-as-pass",
       [](Json& r) {
         int pair = Nth(r, "on", 2)["pair"].get<int>();
         All(r, [&](Json& s, int) {
           if (s["pair"] == pair) s["status"] = "skip";
         });
       },
       {}},
      {"F06",
       "no_request_ids",
       "no-request-ids",
       [](Json& r) {
         r["backend"]["kind"] = "anthropic";
         r["equivalence"]["uncached_vs_uncached"] = 0.99;
       },
       {}},
      {"F07",
       "tokens_estimated",
       "tokens-estimated",
       [](Json& r) { All(r, [](Json& s, int) { s["tokens_source"] = "estimate"; }); },
       {}},
      {"F08",
       "cached_counted_as_processed",
       "cached-counted-as-processed",
       [](Json& r) { r["claim"]["tokens_per_s_prefill"] = Rate(r); },
       {}},
      {"F09",
       "saving_without_usage",
       "saving-without-usage",
       [](Json& r) { r["claim"]["saved_usd"] = 12.5; },
       {}},
      {"F10", "claim_in_extra_field", "claim-in-extra-field", [](Json& r) { r["notes"] = "12x faster"; }, {}},
      {"F11",
       "unparseable_report",
       "integer-beyond-2-53",
       [](Json& r) { r["backend"]["n_ctx"] = std::uint64_t{9007199254740993}; },
       {}},
      {"F12",
       "replayed_report",
       "replayed-report",
       [](Json& r) {
         r["run_id"] = "new";
         r["history"] = {{{"run_id", "old"}, {"merkle_root", r["merkle_root"]}, {"plan_sha256", "another"}}};
       },
       {}},
      {"F13", "hit_rate_misweighted", "hit-rate-misweighted", MeanOfRates, {}},
      {"F14", "missing_samples", "errors-hidden", DropPair, {}},
      {"F15",
       "model_changed_during_run",
       "model-changed-during-run",
       [](Json& r) {
         r["backend"]["model"]["digest_before"] = evidence::Sha256Hex("a");
         r["backend"]["model"]["digest_after"] = evidence::Sha256Hex("b");
       },
       {}},
  };
}

}  // namespace helix::analysis
