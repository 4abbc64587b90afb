// G: fresh answers in another batch shape. What they differ by is numerics, and nothing but numerics.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/equivalence/arm_runner.h"

namespace helix::equivalence {

// A server of the same model and flags whose micro-batch is `ubatch` tokens. Borrowed until the next call.
using ServerWithUbatch = std::function<Result<backend::Backend*>(std::int64_t ubatch, const RunContext&)>;

struct ControlReading {
  std::string method = "none";  // second_server, shape_matched_prompt
  std::int64_t ubatch = 0;      // of the second server
  std::int64_t last_chunk = 0;  // tokens in the control's last prefill micro-batch
  bool shape_matched = false;   // ... are as many as the cached request evaluated
  std::vector<double> deltas;   // |log-probability differences| between fresh and fresh in the other shape
  bool tokens_flipped = false;  // the two fresh answers part
  std::optional<bool> equals_cached;  // the control equals the cached answer to the bit; absent: not compared
};

// The second server computes the prompt in chunks of as many tokens as the cache held, so that its last chunk
// has as many as the cached request evaluates.
Result<ControlReading> SecondServerControl(ArmRunner& runner, const ServerWithUbatch& server,
                                           const ShapeCase& shape, const ArmAnswers& answers);

// On the same server: the prompt with some of the fresh answer's own tokens appended, all as one fresh
// prompt. Its first log-probabilities are those of the fresh answer at that token, computed by prefill
// instead of decode. `ubatch` (the server's, 0 when unknown) picks how many tokens, so that the last chunk
// fits.
Result<ControlReading> PromptControl(ArmRunner& runner, std::int64_t ubatch, const ShapeCase& shape,
                                     const ArmAnswers& answers);

}  // namespace helix::equivalence
