#include "core/consistency/history_moves.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

namespace helix::consistency {
namespace {

using Blocks = std::vector<Block>;
using Form = std::string (Block::*)() const;
using Texts = std::vector<std::string>;

Blocks OfMessage(const Blocks& blocks, std::size_t message) {
  Blocks own;
  for (const Block& block : blocks)
    if (block.message == message) own.push_back(block);
  return own;
}

bool Same(const Blocks& a, const Blocks& b, Form form) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [form](const Block& x, const Block& y) { return (x.*form)() == (y.*form)(); });
}

bool IsPrefix(const Blocks& a, const Blocks& b, Form form) {
  return a.size() <= b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [form](const Block& x, const Block& y) { return (x.*form)() == (y.*form)(); });
}

// The plain texts with reasoning blocks and <think> sections taken out.
Texts WithoutReasoning(const Blocks& blocks) {
  Texts bare;
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::kReasoning) continue;
    std::string plain = block.Plain();
    const std::size_t begin = plain.find("<think>");
    const std::size_t end = plain.find("</think>");
    if (block.role == "assistant" && begin != std::string::npos && end != std::string::npos && end > begin) {
      std::size_t stop = end + 8;
      while (stop < plain.size() && std::isspace(static_cast<unsigned char>(plain[stop]))) ++stop;
      plain.erase(begin, stop - begin);
    }
    bare.push_back(std::move(plain));
  }
  return bare;
}

Texts Plains(const Blocks& blocks) {
  Texts plains;
  plains.reserve(blocks.size());
  for (const Block& block : blocks) plains.push_back(block.Plain());
  return plains;
}

Texts SortedPlains(const Blocks& blocks) {
  Texts plains = Plains(blocks);
  std::sort(plains.begin(), plains.end());
  return plains;
}

// Hashes first: they differ for nearly all histories, and no copy of one has to be kept.
bool SameInAnyOrder(const Blocks& a, const Blocks& b) {
  const auto hashes = [](const Blocks& blocks) {
    std::vector<std::size_t> all;
    all.reserve(blocks.size());
    for (const Block& block : blocks) all.push_back(std::hash<std::string>()(block.Plain()));
    std::sort(all.begin(), all.end());
    return all;
  };
  return a.size() == b.size() && hashes(a) == hashes(b) && SortedPlains(a) == SortedPlains(b);
}

Blocks Without(const Blocks& blocks, const std::string& plain) {
  Blocks rest = blocks;
  std::erase_if(rest, [&](const Block& block) { return block.Plain() == plain; });
  return rest;
}

bool Has(const Blocks& blocks, const std::string& plain) {
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const Block& block) { return block.Plain() == plain; });
}

std::string Squeezed(const std::string& text) {
  std::string out;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  return out;
}

bool DroppedReasoning(const Blocks& a, const Blocks& b, const Blocks& own_a, const Blocks& own_b) {
  const Texts bare_a = WithoutReasoning(own_a);
  if (bare_a == Plains(own_a)) return false;  // there was none
  if (!bare_a.empty() && bare_a == WithoutReasoning(own_b)) return true;
  const Texts all_a = WithoutReasoning(a);
  const Texts all_b = WithoutReasoning(b);
  return all_a.size() <= all_b.size() && std::equal(all_a.begin(), all_a.end(), all_b.begin());
}

}  // namespace

std::size_t FirstDifferentBlock(const Blocks& a, const Blocks& b) {
  const std::size_t common = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at < common && a[at].Bytes() == b[at].Bytes()) ++at;
  return at;
}

std::optional<Cause> ExplainForm(const Blocks& a, const Blocks& b, std::size_t message) {
  const Blocks own_a = OfMessage(a, message);
  const Blocks own_b = OfMessage(b, message);
  if (Same(own_a, own_b, &Block::Plain))
    return Cause{"REPRESENTATION_CHANGED", "form", "the text is equal and its JSON form differs"};
  if (Same(own_a, own_b, &Block::Meaning))
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
  if (own_a.size() > 1 && SameInAnyOrder(own_a, OfMessage(b, b[at].message))) return reordered;
  if (a.size() > b.size()) return std::nullopt;
  // What stands before `at` is the same in both.
  const auto first = static_cast<std::ptrdiff_t>(at);
  const Blocks rest(a.begin() + first, a.end());
  const Blocks start(b.begin() + first, b.begin() + static_cast<std::ptrdiff_t>(a.size()));
  if (SameInAnyOrder(rest, start)) return reordered;
  return std::nullopt;
}

std::optional<Cause> ExplainMove(const Blocks& a, const Blocks& b, std::size_t at) {
  for (const Blocks* side : {&a, &b}) {
    if (at >= side->size()) continue;
    const std::string plain = (*side)[at].Plain();
    if (!Has(a, plain) || !Has(b, plain)) continue;
    const Blocks rest_a = Without(a, plain);
    const Blocks rest_b = Without(b, plain);
    const bool shorter = rest_a.size() < a.size() && rest_b.size() < b.size();
    if (shorter && !rest_a.empty() && IsPrefix(rest_a, rest_b, &Block::Plain))
      return Cause{"HISTORY_BLOCK_MOVED", "moved_block",
                   "a block of message " + std::to_string((*side)[at].message) + " is sent at another place"};
  }
  return std::nullopt;
}

std::string DescribeRewrite(const Blocks& a, const Blocks& b, std::size_t at) {
  if (at >= a.size() || at >= b.size()) return "removed";
  const std::string was = a[at].Plain();
  const std::string is = b[at].Plain();
  if (Squeezed(was) == Squeezed(is)) return "white_space";
  if (at + 1 < b.size() && b[at + 1].Plain() == was) return "inserted";
  if (at + 1 < a.size() && a[at + 1].Plain() == is) return at == 0 ? "front_truncated" : "removed";
  if (Has(a, is)) return "front_truncated";
  return b.size() < a.size() ? "compacted" : "edited";
}

}  // namespace helix::consistency
