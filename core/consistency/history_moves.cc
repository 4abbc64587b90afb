#include "core/consistency/history_moves.h"

#include <algorithm>
#include <cctype>

namespace helix::consistency {
namespace {

using Blocks = std::vector<Block>;
using Form = std::string Block::*;

Blocks OfMessage(const Blocks& blocks, std::size_t message) {
  Blocks own;
  for (const Block& block : blocks)
    if (block.message == message) own.push_back(block);
  return own;
}

bool Same(const Blocks& a, const Blocks& b, Form form) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [form](const Block& x, const Block& y) { return x.*form == y.*form; });
}

bool IsPrefix(const Blocks& a, const Blocks& b, Form form) {
  return a.size() <= b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [form](const Block& x, const Block& y) { return x.*form == y.*form; });
}

// Reasoning blocks and <think> sections taken out.
Blocks WithoutReasoning(Blocks blocks) {
  std::erase_if(blocks, [](const Block& block) { return block.kind == BlockKind::kReasoning; });
  for (Block& block : blocks) {
    const std::size_t begin = block.plain.find("<think>");
    const std::size_t end = block.plain.find("</think>");
    if (block.role != "assistant" || begin == std::string::npos || end == std::string::npos || end < begin)
      continue;
    std::size_t stop = end + 8;
    while (stop < block.plain.size() && std::isspace(static_cast<unsigned char>(block.plain[stop]))) ++stop;
    block.plain.erase(begin, stop - begin);
  }
  return blocks;
}

std::vector<std::string> Sorted(const Blocks& blocks, Form form) {
  std::vector<std::string> words;
  words.reserve(blocks.size());
  for (const Block& block : blocks) words.push_back(block.*form);
  std::sort(words.begin(), words.end());
  return words;
}

Blocks Without(const Blocks& blocks, const std::string& bytes) {
  Blocks rest = blocks;
  std::erase_if(rest, [&](const Block& block) { return block.plain == bytes; });
  return rest;
}

bool Has(const Blocks& blocks, const std::string& plain) {
  return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) { return block.plain == plain; });
}

std::string Squeezed(const std::string& text) {
  std::string out;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  return out;
}

bool DroppedReasoning(const Blocks& a, const Blocks& b, const Blocks& own_a, const Blocks& own_b) {
  const Blocks bare_a = WithoutReasoning(own_a);
  const Blocks bare_b = WithoutReasoning(own_b);
  const bool had = bare_a.size() != own_a.size() || !Same(bare_a, own_a, &Block::plain);
  const bool same_message = Same(bare_a, bare_b, &Block::plain) && !bare_a.empty();
  return had && (same_message || IsPrefix(WithoutReasoning(a), WithoutReasoning(b), &Block::plain));
}

}  // namespace

std::size_t FirstDifferentBlock(const Blocks& a, const Blocks& b) {
  const std::size_t common = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at < common && a[at].bytes == b[at].bytes) ++at;
  return at;
}

std::optional<Cause> ExplainForm(const Blocks& a, const Blocks& b, std::size_t message) {
  const Blocks own_a = OfMessage(a, message);
  const Blocks own_b = OfMessage(b, message);
  if (Same(own_a, own_b, &Block::plain))
    return Cause{"REPRESENTATION_CHANGED", "form", "the text is equal and its JSON form differs"};
  if (Same(own_a, own_b, &Block::meaning))
    return Cause{"TOOLCALL_ARGS_REORDERED", "key_order",
                 "the arguments are equal as JSON and differ as bytes"};
  if (DroppedReasoning(a, b, own_a, own_b))
    return Cause{"REASONING_DROPPED", "reasoning", "reasoning of an earlier turn is no longer sent"};
  return std::nullopt;
}

std::optional<Cause> ExplainOrder(const Blocks& a, const Blocks& b, std::size_t at) {
  if (at >= a.size() || at >= b.size()) return std::nullopt;
  const Cause reordered{"HISTORY_REORDERED", "block_order", "the same blocks come in another order"};
  const Blocks own_a = OfMessage(a, a[at].message);
  if (own_a.size() > 1 && Sorted(own_a, &Block::plain) == Sorted(OfMessage(b, b[at].message), &Block::plain))
    return reordered;
  if (a.size() > b.size()) return std::nullopt;
  const Blocks start(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(a.size()));
  if (Sorted(a, &Block::plain) == Sorted(start, &Block::plain)) return reordered;
  return std::nullopt;
}

std::optional<Cause> ExplainMove(const Blocks& a, const Blocks& b, std::size_t at) {
  for (const Blocks* side : {&a, &b}) {
    if (at >= side->size()) continue;
    const std::string& plain = (*side)[at].plain;
    if (!Has(a, plain) || !Has(b, plain)) continue;
    const Blocks rest_a = Without(a, plain);
    const Blocks rest_b = Without(b, plain);
    const bool shorter = rest_a.size() < a.size() && rest_b.size() < b.size();
    if (shorter && !rest_a.empty() && IsPrefix(rest_a, rest_b, &Block::plain))
      return Cause{"HISTORY_BLOCK_MOVED", "moved_block",
                   "a block of message " + std::to_string((*side)[at].message) + " is sent at another place"};
  }
  return std::nullopt;
}

std::string DescribeRewrite(const Blocks& a, const Blocks& b, std::size_t at) {
  if (at >= a.size() || at >= b.size()) return "removed";
  if (Squeezed(a[at].plain) == Squeezed(b[at].plain)) return "white_space";
  if (at + 1 < b.size() && b[at + 1].plain == a[at].plain) return "inserted";
  if (at + 1 < a.size() && a[at + 1].plain == b[at].plain) return at == 0 ? "front_truncated" : "removed";
  if (Has(a, b[at].plain)) return "front_truncated";
  return b.size() < a.size() ? "compacted" : "edited";
}

}  // namespace helix::consistency
