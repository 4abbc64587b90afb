// The single questions about two histories of blocks; history_change.h asks them in order.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/consistency/cause.h"
#include "core/consistency/history_blocks.h"

namespace helix::consistency {

// Index of the first block that differs in bytes, or the shorter length.
std::size_t FirstDifferentBlock(const std::vector<Block>& a, const std::vector<Block>& b);

// The same content in another form at message `message`: REPRESENTATION_CHANGED, TOOLCALL_ARGS_REORDERED or
// REASONING_DROPPED.
std::optional<Cause> ExplainForm(const std::vector<Block>& a, const std::vector<Block>& b,
                                 std::size_t message);

// HISTORY_REORDERED: the blocks of one message, or of all messages of a, come again in another order.
std::optional<Cause> ExplainOrder(const std::vector<Block>& a, const std::vector<Block>& b, std::size_t at);

// HISTORY_BLOCK_MOVED: without the block that differs, a is a prefix of b, and b has that block elsewhere.
std::optional<Cause> ExplainMove(const std::vector<Block>& a, const std::vector<Block>& b, std::size_t at);

// How the history was rewritten: "front_truncated", "inserted", "removed", "white_space", "compacted" or
// "edited".
std::string DescribeRewrite(const std::vector<Block>& a, const std::vector<Block>& b, std::size_t at);

}  // namespace helix::consistency
