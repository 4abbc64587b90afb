// Sequences of requests in the shapes that real traffic has, from a seed: what a cache meets beside the pairs
// of a benchmark. A sequence is decided before it is sent, but for the answers that a conversation carries
// on.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/result.h"

namespace helix::experiment {

using backend::TokenId;

struct TrafficStep {
  int session = 0;              // conversations are numbered from 0
  std::vector<TokenId> tokens;  // the whole prompt, or what is added to the conversation
  bool carries_on = false;      // prompt = the session's last prompt + its whole answer + tokens
  int output_tokens = 2;
  bool restarts_server = false;  // before the request: what was resident is gone
  std::string note;              // what this request is there for
};

struct Traffic {
  std::string name;   // "repeat", ...
  std::string shows;  // one line
  int sessions = 1;
  std::vector<TrafficStep> steps;
};

struct TrafficSizes {
  int context = 4096;  // tokens that a prompt and its answer may have together
  int block = 16;      // of block_edges: where engines round
};

// "repeat", "shared_system", "agent_loop", "chat", "tree", "interleaved", "mutated_prefix", "long_document",
// "block_edges", "idle": the ten shapes of docs/measurement.md, in that order.
const std::vector<std::string>& TrafficNames();

// Token ids are drawn from `alphabet` (no special tokens; at least 16). kInvalidArgument for an unknown name,
// a small alphabet or a context below 512.
Result<Traffic> MakeTraffic(std::string_view name, const TrafficSizes& sizes,
                            const std::vector<TokenId>& alphabet, std::uint64_t seed);

// Distinct ids of the server's own tokenizer for plain text, in the order of their first use.
Result<std::vector<TokenId>> TokenAlphabet(backend::Backend& backend, std::uint64_t seed,
                                           const RunContext& context);

}  // namespace helix::experiment
