#include "core/levers/self_information.h"

#include <algorithm>

#include "core/levers/droppable.h"

namespace helix::levers {
namespace {

// The surprise of the bytes [begin, end): that of every piece that lies in it, in part or whole.
class Surprise {
 public:
  explicit Surprise(const std::vector<ScoredPiece>& pieces) {
    std::size_t at = 0;
    for (const auto& piece : pieces) {
      starts_.push_back(at);
      at += piece.length;
    }
    end_ = at;
    pieces_ = &pieces;
  }
  [[nodiscard]] std::size_t covered() const { return end_; }
  [[nodiscard]] std::optional<double> Of(std::size_t begin, std::size_t end) const {
    auto it = std::upper_bound(starts_.begin(), starts_.end(), begin);
    double sum = 0;
    for (auto i = static_cast<std::size_t>(it - starts_.begin()) - 1; i < starts_.size(); ++i) {
      if (starts_[i] >= end) break;
      const auto& piece = (*pieces_)[i];
      if (piece.length == 0) continue;
      if (!piece.logprob) return std::nullopt;
      sum -= *piece.logprob;
    }
    return sum;
  }

 private:
  const std::vector<ScoredPiece>* pieces_ = nullptr;
  std::vector<std::size_t> starts_;
  std::size_t end_ = 0;
};

}  // namespace

Pruned PruneByInformation(std::string_view text, const std::vector<ScoredPiece>& pieces, double keep_share,
                          const TokenCounter& count) {
  const Surprise surprise(pieces);
  if (pieces.empty() || surprise.covered() != text.size()) return {std::string(text), 0};
  const auto words =
      DroppableWords(text, [&](std::size_t begin, std::string_view word) -> std::optional<double> {
        const bool lower = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
        return lower ? surprise.Of(begin, begin + word.size()) : std::nullopt;
      });
  const std::size_t n = FewestToReach(text, words, keep_share * double(count(text)), count);
  return {WithoutWords(text, words, n), n};
}

}  // namespace helix::levers
