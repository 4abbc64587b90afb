#include "core/analysis/golden/edit.h"

namespace helix::analysis {
namespace {

using namespace edit;

void BothTokens(Json& pair, const Json& tokens) {
  pair["cached"]["tokens"] = tokens;
  pair["fresh"]["tokens"] = tokens;
}

}  // namespace

std::vector<Recipe> EquivalenceRecipes() {
  return {
      {"E00",
       "equiv_without_evidence",
       "equiv-without-evidence",
       [](Json& r) { r["equivalence"]["pairs"] = Json::array(); },
       {}},
      {"E01a",
       "tautology_same_response",
       "tautology-same-response",
       [](Json& r) { EqPair(r, 1)["fresh"]["raw_sha256"] = EqPair(r, 1)["cached"]["raw_sha256"]; },
       {}},
      {"E01b",
       "fresh_was_cached",
       "fresh-was-cached",
       [](Json& r) {
         EqPair(r, 0)["fresh"]["cached_n"] = 2048;
         EqPair(r, 0)["cached"]["cached_n"] = 1;
       },
       {"cached_was_fresh"}},
      {"E01c",
       "cached_was_fresh",
       "cached-was-fresh",
       [](Json& r) { EachEq(r, [](Json& p) { p["cached"]["cached_n"] = 0; }); },
       {}},
      {"E02", "empty_output", "empty-output", [](Json& r) { BothTokens(EqPair(r, 2), Json::array()); }, {}},
      {"E03",
       "too_few_tokens",
       "too-few-tokens",
       [](Json& r) { EachEq(r, [](Json& p) { BothTokens(p, Json::array({p["cached"]["tokens"][0]})); }); },
       {}},
      {"E04",
       "degenerate_output",
       "degenerate-output",
       [](Json& r) { BothTokens(EqPair(r, 0), Json(std::vector<int>(32, 0))); },
       {}},
      {"E05a",
       "stub_as_real",
       "stub-as-real",
       [](Json& r) {
         r["backend"]["model"]["id"] = "stub";
         r["backend"]["model"]["n_params"] = 1000;
       },
       {}},
      {"E05b", "synthetic_pass", "synthetic-pass", [](Json& r) { r["synthetic"] = true; }, {}},
      {"E06",
       "normalised_text",
       "normalised-text",
       [](Json& r) { r["equivalence"]["normalised"] = "strip+lower"; },
       {}},
      {"E07", "prefix_only", "prefix-only", [](Json& r) { r["equivalence"]["compared_prefix"] = 8; }, {}},
      {"E08",
       "claim_false",
       "claim-false",
       [](Json& r) {
         Json& t = EqPair(r, 1)["cached"]["tokens"][17];
         t = t.get<int>() + 1;
       },
       {}},
      {"E09",
       "prompt_insensitive",
       "prompt-insensitive",
       [](Json& r) {
         Json t = EqPair(r, 0)["cached"]["tokens"];
         EachEq(r, [&](Json& p) { BothTokens(p, t); });
       },
       {}},
      {"E10a",
       "no_negative_control",
       "no-negative-control",
       [](Json& r) { r["equivalence"]["negative_controls"] = Json::array(); },
       {}},
      {"E10b",
       "negative_control_not_detected",
       "negative-control-not-detected",
       [](Json& r) { r["equivalence"]["negative_controls"][0]["detected"] = false; },
       {}},
      {"E11",
       "text_only_equality",
       "text-only-equality",
       [](Json& r) {
         EachEq(r, [](Json& p) {
           for (const char* side : {"cached", "fresh"}) {
             p[side].erase("tokens");
             p[side]["text_sha256"] = "same";
           }
         });
       },
       {}},
      {"E12",
       "no_self_agreement_baseline",
       "no-self-agreement-baseline",
       [](Json& r) { r["equivalence"]["match_rate"] = 0.97; },
       {}},
      {"E13",
       "fresh_was_cached",
       "repeated-cached-run",
       [](Json& r) { EqPair(r, 0)["fresh"]["cached_n"] = 1280; },
       {}},
      {"E14",
       "same_slot_without_flush",
       "same-slot-without-flush",
       [](Json& r) {
         EachEq(r, [](Json& p) {
           p["cached"]["slot"] = 0;
           p["fresh"]["slot"] = 0;
         });
       },
       {}},
      {"E15",
       "renormalised_logprobs",
       "renormalised-logprobs",
       [](Json& r) { r["equivalence"]["post_sampling_probs"] = true; },
       {}},
  };
}

}  // namespace helix::analysis
