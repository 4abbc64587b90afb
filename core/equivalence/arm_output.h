// One answer of one arm, as far as the comparison needs it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace helix::equivalence {

using backend::TokenId;

struct ArmOutput {
  std::vector<TokenId> tokens;
  bool has_token_ids = false;
  std::vector<backend::TokenLogprobs> logprobs;  // one per token, or empty when there are none to compare
  std::string text;
  std::string finish;                         // empty: not recorded
  std::optional<std::int64_t> cached_tokens;  // the server's own counter
  std::optional<std::int64_t> prompt_tokens;
  std::optional<std::int64_t> processed_tokens;  // evaluated; absent where it was computed from the other two
  std::optional<double> prefill_ms;              // the server's own clock
  bool truncated = false;                        // the server cut the prompt
  std::string response_sha256;                   // of the raw response; empty: not recorded
  bool normalised = false;  // the text was changed (stripped, lower-cased, re-formatted) before it came here
};

// Log-probabilities are kept only when there is one entry per token: a server that merges several tokens into
// one entry cannot be indexed by token.
ArmOutput FromReply(const backend::GenerateReply& reply);

// The bytes of `id` as one of the entries names them, escaped for a report; nullopt when no entry has them.
std::optional<std::string> PieceOf(const ArmOutput& output, std::size_t index);

// Printable ASCII as it is, everything else as \n, \t, \\ or \xNN.
std::string EscapePiece(const std::string& bytes);

}  // namespace helix::equivalence
