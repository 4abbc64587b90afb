#include "core/experiment/slot_model.h"

#include <algorithm>

namespace helix::experiment {

std::int64_t SharedPrefix(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

std::int64_t SlotModel::Expected(const std::vector<TokenId>& prompt) const {
  const auto most = static_cast<std::int64_t>(prompt.size()) - 1;
  const std::int64_t shared = std::min(SharedPrefix(content_, prompt), most);
  return std::max<std::int64_t>(shared, 0) / block_size_ * block_size_;
}

std::int64_t SlotModel::LongestSeen(const std::vector<TokenId>& prompt) const {
  std::int64_t longest = SharedPrefix(content_, prompt);
  for (const auto& seen : seen_) longest = std::max(longest, SharedPrefix(seen, prompt));
  return longest;
}

void SlotModel::Finished(const std::vector<TokenId>& prompt, const std::vector<TokenId>& generated) {
  Remember(prompt);
  content_ = prompt;
  if (!generated.empty()) content_.insert(content_.end(), generated.begin(), generated.end() - 1);
}

void SlotModel::Failed(const std::vector<TokenId>& prompt) {
  Remember(prompt);
  content_.clear();
}

void SlotModel::Remember(const std::vector<TokenId>& prompt) {
  for (const auto& seen : seen_) {
    if (seen.size() >= prompt.size() &&
        SharedPrefix(seen, prompt) == static_cast<std::int64_t>(prompt.size()))
      return;
  }
  seen_.push_back(prompt);
}

}  // namespace helix::experiment
