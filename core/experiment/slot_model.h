// What the cache of one slot should hold, call by call: the source of `expected_cached` and `lcp_prev`.
#pragma once
#include <cstdint>
#include <vector>

#include "core/backend/backend.h"

namespace helix::experiment {

using backend::TokenId;

// Length of the longest common prefix.
std::int64_t SharedPrefix(const std::vector<TokenId>& a, const std::vector<TokenId>& b);

class SlotModel {
 public:
  explicit SlotModel(int block_size) : block_size_(block_size) {}

  // Tokens that a call using the cache should reuse: the prefix shared with the slot, in whole blocks, at
  // most all but one (the last token is always computed again). 0 while the content is not known.
  [[nodiscard]] std::int64_t Expected(const std::vector<TokenId>& prompt) const;
  // The longest prefix shared with anything this server has seen from us: more than this cannot be reused.
  [[nodiscard]] std::int64_t LongestSeen(const std::vector<TokenId>& prompt) const;
  // A call finished: the slot holds its prompt and all but the last generated token, whether it used the
  // cache or not.
  void Finished(const std::vector<TokenId>& prompt, const std::vector<TokenId>& generated);
  // A call failed: the slot may hold any part of its prompt.
  void Failed(const std::vector<TokenId>& prompt);

 private:
  void Remember(const std::vector<TokenId>& prompt);

  int block_size_;
  std::vector<TokenId> content_;
  std::vector<std::vector<TokenId>> seen_;
};

}  // namespace helix::experiment
