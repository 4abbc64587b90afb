// A conversation as a flat list of blocks, whatever its wire shape, so that two histories can be compared by
// content.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::consistency {

enum class BlockKind { kText, kReasoning, kToolUse, kToolResult, kOther };

struct Block {
  std::size_t message = 0;
  std::string role;
  BlockKind kind = BlockKind::kText;
  std::string bytes;  // role, kind and compact JSON as sent; what a byte-exact cache sees
  std::string
      plain;  // the same with one form for content (string = one text block; arguments = their JSON text)
  std::string meaning;      // `plain` with sorted keys inside tool calls: equal for equal JSON
  std::string text;         // the text, or the compact JSON of a block without text
  bool breakpoint = false;  // carries cache_control
};

// Messages (array, or one string). Blocks of unknown kind are kept as kOther.
std::vector<Block> BlocksOf(const Json& messages);

// The text of a content value: a string, or the texts of its blocks joined by '\n'.
std::string TextOf(const Json& content);

}  // namespace helix::consistency
