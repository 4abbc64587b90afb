#include "core/equivalence/control_arm.h"

#include <algorithm>

#include "core/equivalence/logprob_distance.h"

namespace helix::equivalence {
namespace {

std::int64_t LastChunk(std::int64_t tokens, std::int64_t ubatch) {
  const std::int64_t rest = tokens % ubatch;
  return rest == 0 ? std::min(tokens, ubatch) : rest;
}

bool BitEqual(const ArmOutput& a, const ArmOutput& b) {
  if (FirstMismatch(a.tokens, b.tokens)) return false;
  const auto deltas = ComparableDeltas(a, b);
  return std::all_of(deltas.begin(), deltas.end(), [](double delta) { return delta == 0; });
}

std::int64_t Evaluated(const ShapeCase& shape, const ArmAnswers& answers) {
  const auto prompt = static_cast<std::int64_t>(shape.prompt.size());
  return prompt - answers.cached.output.cached_tokens.value_or(shape.ExpectedReuse());
}

// How many answer tokens to append so that a grid of `ubatch` ends with a chunk of `evaluated`; a third of
// the answer where no number fits.
std::size_t Appended(std::int64_t prompt, std::int64_t ubatch, std::int64_t evaluated, std::size_t answer) {
  const std::size_t fallback = std::max<std::size_t>(1, answer / 3);
  if (ubatch <= 0) return fallback;
  for (std::size_t j = 1; j < answer; ++j) {
    if (LastChunk(prompt + static_cast<std::int64_t>(j), ubatch) == evaluated) return j;
  }
  return fallback;
}

Status ForceAt(ArmRunner& runner, const ShapeCase& shape, const ArmAnswers& answers, std::size_t j,
               ControlReading& reading) {
  std::vector<TokenId> prompt = shape.prompt;
  const auto& fresh = answers.fresh.output;
  prompt.insert(prompt.end(), fresh.tokens.begin(), fresh.tokens.begin() + static_cast<std::ptrdiff_t>(j));
  auto forced = runner.Ask(prompt, false, 1);
  if (!forced) return tl::make_unexpected(forced.error());
  if (forced->output.tokens.empty() || j >= fresh.tokens.size()) return {};
  if (forced->output.tokens[0] != fresh.tokens[j]) reading.tokens_flipped = true;
  if (forced->output.logprobs.empty() || j >= fresh.logprobs.size()) return {};
  if (const auto delta = DeltaAt(forced->output.logprobs[0], fresh.logprobs[j]))
    reading.deltas.push_back(*delta);
  return {};
}

}  // namespace

Result<ControlReading> SecondServerControl(ArmRunner& runner, const ServerWithUbatch& server,
                                           const ShapeCase& shape, const ArmAnswers& answers) {
  const auto prompt = static_cast<std::int64_t>(shape.prompt.size());
  const std::int64_t evaluated = Evaluated(shape, answers);
  ControlReading out;
  out.method = "second_server";
  out.ubatch = std::max<std::int64_t>(1, prompt - evaluated);
  auto other = server(out.ubatch, runner.context());
  if (!other) return tl::make_unexpected(other.error());
  auto answer = runner.AskOn(**other, shape.prompt, shape.output_tokens);
  if (!answer) return tl::make_unexpected(answer.error());
  out.last_chunk = LastChunk(prompt, out.ubatch);
  out.shape_matched = out.last_chunk == evaluated;
  out.deltas = ComparableDeltas(answer->output, answers.fresh.output);
  out.tokens_flipped = FirstMismatch(answer->output.tokens, answers.fresh.output.tokens).has_value();
  out.equals_cached = BitEqual(answer->output, answers.cached.output);
  return out;
}

Result<ControlReading> PromptControl(ArmRunner& runner, std::int64_t ubatch, const ShapeCase& shape,
                                     const ArmAnswers& answers) {
  ControlReading out;
  out.method = "shape_matched_prompt";
  const auto prompt = static_cast<std::int64_t>(shape.prompt.size());
  const std::size_t answer = answers.fresh.output.tokens.size();
  if (answer < 2) return out;
  const std::size_t matched = Appended(prompt, ubatch, Evaluated(shape, answers), answer);
  if (ubatch > 0) {
    out.last_chunk = LastChunk(prompt + static_cast<std::int64_t>(matched), ubatch);
    out.shape_matched = out.last_chunk == Evaluated(shape, answers);
  }
  HELIX_TRY(ForceAt(runner, shape, answers, matched, out));
  if (matched != answer - 1) HELIX_TRY(ForceAt(runner, shape, answers, answer - 1, out));
  return out;
}

}  // namespace helix::equivalence
