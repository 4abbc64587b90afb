// One block through the structural transforms, each kept only if the counted tokens fall.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/levers/token_counter.h"

namespace helix::levers {

struct BlockResult {
  std::string text;
  std::int64_t tokens_before = 0;
  std::int64_t tokens_after = 0;
  std::vector<std::string> applied;   // in order
  std::vector<std::string> rejected;  // would not have saved a token
  bool lossless = true;               // false once a log run, a placeholder or overwritten output went
  std::string left;                   // why nothing was done; empty otherwise
};

// Blocks below this are left alone: the words about a rewrite would cost more than it saves.
inline constexpr std::int64_t kSmallestBlock = 200;

// Text between <nocompress> and </nocompress> keeps the whole block as it is. A pure function of its
// arguments.
BlockResult CompressBlock(std::string_view block, const TokenCounter& count);

}  // namespace helix::levers
