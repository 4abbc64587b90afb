// A request body (Anthropic Messages or OpenAI chat) compressed where that cannot break its cached prefix.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/levers/block.h"

namespace helix::levers {

struct PromptOptions {
  int frozen_messages = 0;  // this many messages were sent in an earlier request: they keep their bytes
  bool stable_tools =
      false;  // also put the tools into one order (stable_tools.h); before the first request only
  TokenCounter count = EstimateTokens;
};

struct ChangedBlock {
  std::string pointer;
  BlockResult result;
};

struct PromptResult {
  std::string body;  // spliced: every byte outside the changed strings is the caller's
  std::vector<ChangedBlock> changed;
  std::vector<std::pair<std::string, std::string>> left;  // pointer, reason
  std::int64_t tokens_before = 0;                         // of the blocks that were looked at
  std::int64_t tokens_after = 0;
  bool tools_ordered = false;  // the tools' bytes were changed
};

// Touched are tool results and text of user messages that are not the last one, and of these only what stands
// behind the last cache marker and behind the frozen messages. A tool result that repeats an earlier one of
// the same request becomes a reference backwards to it. Never touched: system, tools, assistant messages,
// thinking, ids, pairs and order, the user's last message. kParse when the body is no JSON object with
// messages.
Result<PromptResult> CompressPrompt(std::string_view body, const PromptOptions& options);

}  // namespace helix::levers
