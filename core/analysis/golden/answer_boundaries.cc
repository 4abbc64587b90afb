#include "core/analysis/golden/boundaries.h"
#include "core/analysis/golden/edit.h"

namespace helix::analysis {
namespace {

using namespace edit;

Json Answer(int tokens, int distinct, int first) {
  Json out = Json::array();
  for (int i = 0; i < tokens; ++i) out.push_back(first + i % distinct);
  return out;
}

void AnswersOf(Json& r, int tokens, int distinct) {
  int i = 0;
  EachEq(r, [&](Json& pair) {
    pair["cached"]["tokens"] = Answer(tokens, distinct, 100 * ++i);
    pair["fresh"]["tokens"] = pair["cached"]["tokens"];
  });
}

void CachedOf(Json& r, const char* side, double v) {
  EqPair(r, 1)[side]["cached_n"] = v;
}

}  // namespace

std::vector<Boundary> AnswerBoundaries() {
  return {
      {"E01b", "fresh_was_cached", "fresh-within-cold-allow",
       [](Json& r, double v) { CachedOf(r, "fresh", v); }, 1, 2},
      {"E01c", "cached_was_fresh", "cached-beyond-cold-allow",
       [](Json& r, double v) { CachedOf(r, "cached", v); }, 2, 1},
      {"E02", "empty_output", "one-token", [](Json& r, double v) { AnswersOf(r, static_cast<int>(v), 3); }, 1,
       0},
      {"E03", "too_few_tokens", "sixteen-tokens",
       [](Json& r, double v) { AnswersOf(r, static_cast<int>(v), 9); }, 16, 15},
      {"E04", "degenerate_output", "three-tokens-in-turn",
       [](Json& r, double v) { AnswersOf(r, 32, static_cast<int>(v)); }, 3, 2},
      {"E05a", "stub_as_real", "a-million-parameters",
       [](Json& r, double v) { r["backend"]["model"]["n_params"] = v; }, 1e6, 999'999},
      {"E05a", "stub_as_real", "a-bit-a-weight",
       [](Json& r, double v) { r["backend"]["model"]["file_bytes"] = v; }, 62'500'000, 62'499'999},
      {"E07", "prefix_only", "all-tokens-compared",
       [](Json& r, double v) { EqPair(r, 0)["compared_prefix"] = v; }, 32, 31},
      {"E08", "claim_false", "the-last-token",
       [](Json& r, double v) {
         Json& tokens = EqPair(r, 0)["fresh"]["tokens"];
         tokens[31] = tokens[31].get<int>() + static_cast<int>(v);
       },
       0, 1},
      {"E09", "prompt_insensitive", "three-prompts-one-answer",
       [](Json& r, double v) {
         Json answer = EqPair(r, 0)["cached"]["tokens"];
         EachEq(r, [&](Json& pair) {
           pair["cached"]["tokens"] = answer;
           pair["fresh"]["tokens"] = answer;
         });
         for (int i = static_cast<int>(v); i < 4; ++i)
           EqPair(r, i)["prompt_sha256"] = EqPair(r, 0)["prompt_sha256"];
       },
       2, 3},
      {"E10a", "no_negative_control", "one-control",
       [](Json& r, double v) {
         if (v == 0) r["equivalence"]["negative_controls"] = Json::array();
       },
       1, 0},
  };
}

}  // namespace helix::analysis
