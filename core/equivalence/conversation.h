// Several turns whose history is what the cached run produced, as token ids: text that is tokenised again can
// come out as other ids, and then every later turn compares different prompts.
#pragma once
#include <optional>
#include <vector>

#include "core/equivalence/arm_runner.h"

namespace helix::equivalence {

struct ConversationPlan {
  int turns = 3;
  std::int64_t opening = 96;  // tokens of the first turn
  std::int64_t message = 24;  // tokens of each later user message
  int output_tokens = 64;
};

struct Turn {
  ShapeCase shape;
  ArmAnswers answers;  // of the first turn only `fresh` and `fresh_again` are compared with `cached`: nothing
                       // is reused
};

struct Conversation {
  std::vector<Turn> turns;
  // Free-running: each arm keeps its own history. The first turn whose answers differ, counted from 1;
  // nullopt: none. Up to there both histories are the same tokens, so that no further request is needed.
  std::optional<int> free_running_divergence;
};

// All cached turns run first, so that each reuses what the turn before left in the slot.
Result<Conversation> RunConversation(ArmRunner& runner, PromptSource& source, const ConversationPlan& plan);

std::int64_t TokensNeeded(const ConversationPlan& plan);

}  // namespace helix::equivalence
