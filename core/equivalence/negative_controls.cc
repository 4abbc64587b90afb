#include "core/equivalence/negative_controls.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/equivalence/logprob_distance.h"
#include "core/equivalence/thresholds.h"

namespace helix::equivalence {
namespace {

constexpr std::int64_t kSuffix = 16;

Result<ControlPair> AskBoth(ArmRunner& runner, const std::string& kind, const ShapeCase& shape,
                            const std::vector<TokenId>& changed, std::int64_t shared) {
  ControlPair out;
  out.kind = kind;
  out.most_reusable = shared;
  for (const bool original : {true, false}) {
    HELIX_TRY(runner.Prime(shape.prime));
    auto answer = runner.Ask(original ? shape.prompt : changed, true, shape.output_tokens);
    if (!answer) return tl::make_unexpected(answer.error());
    (original ? out.original : out.changed) = std::move(answer->output);
  }
  return out;
}

// Another token of the same prompt, so that it is certain to be one of the model's.
std::vector<TokenId> Flipped(std::vector<TokenId> prompt, std::size_t at) {
  const auto other =
      std::find_if(prompt.begin() + 1, prompt.end(), [&](TokenId id) { return id != prompt[at]; });
  if (other != prompt.end()) prompt[at] = *other;
  return prompt;
}

std::vector<TokenId> WithTail(const ShapeCase& head, const ShapeCase& tail) {
  std::vector<TokenId> out = head.prime;
  out.insert(out.end(), tail.prompt.end() - kSuffix, tail.prompt.end());
  return out;
}

NegativeControl JudgeTexts(const ControlPair& pair) {
  NegativeControl out;
  out.kind = pair.kind;
  out.detected = pair.original.text != pair.changed.text;
  out.detail =
      out.detected ? "texts differ; there are no token ids" : "texts are the same; there are no token ids";
  return out;
}

}  // namespace

Result<std::vector<ControlPair>> RunNegativeControls(ArmRunner& runner, PromptSource& source,
                                                     std::int64_t prefix, int output_tokens) {
  const ShapeCase a = PrefixExtension(source, prefix, kSuffix, output_tokens);
  const ShapeCase b = PrefixExtension(source, prefix, kSuffix, output_tokens);
  const std::size_t at = a.prime.size() / 2;
  std::vector<ControlPair> out;
  auto flipped =
      AskBoth(runner, "prefix_token_flipped", a, Flipped(a.prompt, at), static_cast<std::int64_t>(at));
  if (!flipped) return tl::make_unexpected(flipped.error());
  out.push_back(*std::move(flipped));
  for (const auto& [head, tail] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    auto swapped = AskBoth(runner, "suffixes_swapped", *head, WithTail(*head, *tail), head->shared + kSuffix);
    if (!swapped) return tl::make_unexpected(swapped.error());
    out.push_back(*std::move(swapped));
  }
  return out;
}

NegativeControl Judge(const ControlPair& pair, double noise) {
  NegativeControl out;
  out.kind = pair.kind;
  if (!pair.original.has_token_ids || !pair.changed.has_token_ids) return JudgeTexts(pair);
  const auto mismatch = FirstMismatch(pair.original.tokens, pair.changed.tokens);
  DistanceSample sample;
  sample.Add(ComparableDeltas(pair.original, pair.changed));
  const auto summary = sample.Summary();
  out.detected = mismatch || (summary && summary->max > Tolerance(noise));
  out.detail = fmt::format("{}; log-probabilities differ by {} nat",
                           mismatch ? fmt::format("tokens part at {}", *mismatch) : "tokens are the same",
                           summary ? fmt::format("{:.2e}", summary->max) : "(none given)");
  const auto reused = pair.changed.cached_tokens;
  if (reused && *reused > pair.most_reusable) {
    out.detected = false;
    out.detail = fmt::format("the changed prompt reused {} tokens but shares only {} with the cache", *reused,
                             pair.most_reusable);
  }
  return out;
}

std::int64_t NegativeControlTokens(std::int64_t prefix) {
  return 2 * (prefix + kSuffix);
}

}  // namespace helix::equivalence
