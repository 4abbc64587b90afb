#include "core/equivalence/conversation.h"

#include "core/equivalence/logprob_distance.h"

namespace helix::equivalence {
namespace {

Result<Turn> CachedTurn(ArmRunner& runner, const std::vector<TokenId>& prompt, std::int64_t held,
                        const ConversationPlan& plan) {
  Turn out;
  out.shape.shape = "turn";
  out.shape.prompt = prompt;
  out.shape.shared = held;
  out.shape.output_tokens = plan.output_tokens;
  auto answer = runner.Ask(prompt, held > 0, plan.output_tokens);
  if (!answer) return tl::make_unexpected(answer.error());
  out.answers.cached = *std::move(answer);
  return out;
}

Status FreshTurns(ArmRunner& runner, Turn& turn) {
  for (Answer* to : {&turn.answers.fresh, &turn.answers.fresh_again}) {
    auto answer = runner.Ask(turn.shape.prompt, false, turn.shape.output_tokens);
    if (!answer) return tl::make_unexpected(answer.error());
    *to = *std::move(answer);
  }
  return {};
}

}  // namespace

Result<Conversation> RunConversation(ArmRunner& runner, PromptSource& source, const ConversationPlan& plan) {
  Conversation out;
  std::vector<TokenId> prompt = source.Prompt(plan.opening);
  std::vector<std::int64_t> starts = {0};
  std::int64_t held = 0;
  for (int i = 0; i < plan.turns; ++i) {
    auto turn = CachedTurn(runner, prompt, held, plan);
    if (!turn) return tl::make_unexpected(turn.error());
    turn->shape.turn_starts = starts;
    const auto& produced = turn->answers.cached.output.tokens;
    // The last generated token was never fed back: the cache does not hold it.
    held = static_cast<std::int64_t>(prompt.size() + produced.size()) - (produced.empty() ? 0 : 1);
    prompt.insert(prompt.end(), produced.begin(), produced.end());
    starts.push_back(static_cast<std::int64_t>(prompt.size()));
    const std::vector<TokenId> message = source.Continuation(plan.message);
    prompt.insert(prompt.end(), message.begin(), message.end());
    out.turns.push_back(*std::move(turn));
  }
  for (std::size_t i = 0; i < out.turns.size(); ++i) {
    HELIX_TRY(FreshTurns(runner, out.turns[i]));
    const auto& answers = out.turns[i].answers;
    if (!out.free_running_divergence &&
        FirstMismatch(answers.cached.output.tokens, answers.fresh.output.tokens)) {
      out.free_running_divergence = static_cast<int>(i) + 1;
    }
  }
  return out;
}

std::int64_t TokensNeeded(const ConversationPlan& plan) {
  return plan.opening + plan.turns * plan.message;
}

}  // namespace helix::equivalence
