// A conversation as a flat list of blocks, whatever its wire shape, so that two histories can be compared by
// content.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::consistency {

enum class BlockKind { kText, kReasoning, kToolUse, kToolResult, kOther };

// How the value of a block is written in the request.
enum class BlockForm { kPart, kString, kToolMessage };

// Its texts are made when asked for: a history is long, and most questions stop at the first difference.
struct Block {
  std::size_t message = 0;
  std::string role;
  BlockKind kind = BlockKind::kText;
  BlockForm form = BlockForm::kPart;
  const Json* value = nullptr;  // borrowed from the messages
  bool breakpoint = false;      // carries cache_control

  // Role, kind and compact JSON as sent; what a byte-exact cache sees.
  [[nodiscard]] std::string Bytes() const;
  // The same with one form for content (string = one text block; arguments = their JSON text).
  [[nodiscard]] std::string Plain() const;
  // `Plain` with sorted keys inside tool calls: equal for equal JSON.
  [[nodiscard]] std::string Meaning() const;
  // The text, or the compact JSON of a block without text.
  [[nodiscard]] std::string Text() const;
};

// Messages (array, or one string), which must outlive the blocks. Blocks of unknown kind are kept as kOther.
std::vector<Block> BlocksOf(const Json& messages);

// The text of a content value: a string, or the texts of its blocks joined by '\n'.
std::string TextOf(const Json& content);

}  // namespace helix::consistency
