// Group E: equivalence of cached and fresh answers.
#include <set>

#include "core/analysis/checks/each.h"
#include "core/analysis/checks/equivalence_checks.h"
#include "core/base/json_fields.h"

namespace helix::analysis {

bool IsHosted(const CheckInput& in) {
  const Json& backend = in.report.Backend();
  if (auto hosted = BoolAt(backend, "hosted")) return *hosted;
  static const std::set<std::string> kinds = {"anthropic",  "openai",  "hosted", "google",
                                              "gemini",     "bedrock", "vertex", "deepseek",
                                              "openrouter", "mistral", "xai",    "groq"};
  return kinds.count(StringAt(backend, "kind").value_or("")) != 0;
}

std::vector<Check> EquivalenceChecks() {
  using namespace checks;
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto declared = Absence::kDeclarable;
  constexpr auto unclaimed = Absence::kWithoutEquality;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"E00", "equiv_without_evidence", F, unclaimed, "equality claimed without answers", WithoutEvidence},
      {"E01a", "tautology_same_response", F, unclaimed, "an answer compared with itself", SameResponse},
      {"E01b", "fresh_was_cached", F, unclaimed, "the fresh side came from the cache", FreshWasCached},
      {"E01c", "cached_was_fresh", F, unclaimed, "the cached side was fresh", CachedWasFresh},
      {"E02", "empty_output", F, unclaimed, "nothing to compare", EmptyOutput},
      {"E03", "too_few_tokens", F, unclaimed, "too short to tell", TooFewTokens},
      {"E04", "degenerate_output", F, unclaimed, "one or two tokens repeated", DegenerateOutput},
      {"E05a", "stub_as_real", F, declared, "a stub presented as a model", StubAsReal},
      {"E05b", "synthetic_pass", F, need, "PASS on synthetic numbers", SyntheticPass},
      {"E06", "normalised_text", F, unclaimed, "compared after a clean-up", NormalisedText},
      {"E07", "prefix_only", F, unclaimed, "only the beginning was compared", PrefixOnly},
      {"E08", "claim_false", F, unclaimed, "the answers differ", ClaimFalse},
      {"E09", "prompt_insensitive", F, unclaimed, "one answer to every prompt", PromptInsensitive},
      {"E10a", "no_negative_control", F, unclaimed, "no planted difference", NoNegativeControl},
      {"E10b", "negative_control_not_detected", F, unclaimed, "the planted difference was not noticed",
       ControlNotDetected},
      {"E11", "text_only_equality", W, unclaimed, "texts compared, not token ids", TextOnly},
      {"E12", "no_self_agreement_baseline", F, need,
       "a match rate without the service's agreement with itself", NoBaseline},
      {"E13", "fresh_was_cached", F, unclaimed, "two cached answers agree", RepeatedCachedRun},
      {"E14", "same_slot_without_flush", W, free, "the fresh side ran in the same slot", SameSlot},
      {"E15", "renormalised_logprobs", W, free, "probabilities renormalised after top-k", Renormalised},
  };
}

}  // namespace helix::analysis
