#include "core/analysis/walsh_average.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/random.h"

namespace helix::analysis {
namespace {

constexpr std::size_t kCollect = 4096;  // so few are left that they are listed
constexpr std::size_t kLong = 20'000;   // from here on a thinned list gives the first bounds
constexpr std::size_t kThin = 16;

// Row i holds the averages of d[i] with d[i], d[i+1], ...; they ascend. `end[i]` is the first column that is
// cut off.
struct Cut {
  std::vector<std::uint32_t> end;
  std::uint64_t count = 0;  // averages before the cut
};

class Selection {
 public:
  Selection(const std::vector<double>& sorted, std::uint64_t k)
      : d_(sorted), k_(k), random_(k), draws_(sorted.size() < kLong ? 1024 : 16'384) {
    low_.end.resize(d_.size());
    for (std::size_t i = 0; i < d_.size(); ++i) low_.end[i] = static_cast<std::uint32_t>(i);
    high_.end.assign(d_.size(), static_cast<std::uint32_t>(d_.size()));
    high_.count = static_cast<std::uint64_t>(d_.size()) * (d_.size() + 1) / 2;
  }

  // The k-th and the one after it.
  std::pair<double, double> Run() {
    if (d_.size() >= kLong) Bound(FromThinned());
    while (Possible() > std::max(kCollect, d_.size())) {
      std::uint64_t before = Possible();
      std::vector<double> drawn = Draw();
      Bound(Enclosing(drawn));
      // Where many averages are equal, bounds do not part them.
      if (Possible() <= before / 2) continue;
      if (Divide(drawn[drawn.size() / 2]) != Side::kHere) continue;
      return {found_, k_ < at_most_found_ ? found_ : FirstBeyond(found_)};
    }
    return Listed();
  }

 private:
  enum class Side { kBelow, kHere, kAbove };

  [[nodiscard]] std::uint64_t Possible() const { return high_.count - low_.count; }
  [[nodiscard]] double Average(std::size_t i, std::size_t j) const { return (d_[i] + d_[j]) / 2; }

  // Rounding is monotone, so the columns cut off only grow from row to row and two pointers suffice.
  template <typename Beyond>
  void CutWhere(Beyond beyond, Cut& cut) const {
    cut.end.resize(d_.size());
    cut.count = 0;
    std::size_t j = d_.size();
    for (std::size_t i = 0; i < d_.size(); ++i) {
      while (j > i && beyond(Average(i, j - 1))) --j;
      cut.end[i] = static_cast<std::uint32_t>(std::max(i, j));
      cut.count += cut.end[i] - i;
    }
  }

  // Where the k-th is, seen from an average; narrows what is possible unless it is the average itself.
  Side Divide(double pivot) {
    CutWhere([&](double v) { return v > pivot; }, scratch_);
    if (k_ > scratch_.count) {
      std::swap(low_, scratch_);
      return Side::kAbove;
    }
    at_most_found_ = scratch_.count;
    CutWhere([&](double v) { return v >= pivot; }, scratch_);
    found_ = pivot;
    if (k_ > scratch_.count) return Side::kHere;
    std::swap(high_, scratch_);
    return Side::kBelow;
  }

  // Leaves the averages above the first and at or below the second; one cut each.
  void Bound(std::pair<double, double> bounds) {
    for (double limit : {bounds.first, bounds.second}) {
      CutWhere([&](double v) { return v > limit; }, scratch_);
      if (k_ > scratch_.count) {
        if (scratch_.count > low_.count) std::swap(low_, scratch_);
      } else {
        if (scratch_.count < high_.count) std::swap(high_, scratch_);
        return;
      }
    }
  }

  // Every sixteenth value stands for its neighbours: the same share of the averages of the thinned list, give
  // or take three times its length, encloses the k-th unless the list is very uneven.
  std::pair<double, double> FromThinned() {
    std::vector<double> thin;
    for (std::size_t i = kThin / 2; i < d_.size(); i += kThin) thin.push_back(d_[i]);
    auto n = static_cast<double>(thin.size());
    double all = n * (n + 1) / 2;
    double at = static_cast<double>(k_) / static_cast<double>(Possible()) * all;
    auto average = [&](double rank) {
      return Selection(thin, static_cast<std::uint64_t>(std::clamp(rank, 1.0, all))).Run().first;
    };
    return {average(at - 3 * n), average(at + 3 * n)};
  }

  // Possible averages, drawn with equal chances and sorted.
  std::vector<double> Draw() {
    std::vector<std::uint64_t> ranks(draws_);
    for (auto& rank : ranks) rank = random_.Below(Possible());
    std::sort(ranks.begin(), ranks.end());
    std::vector<double> out;
    std::uint64_t before = 0;
    std::size_t row = 0;
    for (std::uint64_t rank : ranks) {
      while (rank - before >= Width(row)) before += Width(row++);
      out.push_back(Average(row, low_.end[row] + (rank - before)));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  [[nodiscard]] std::uint64_t Width(std::size_t row) const { return high_.end[row] - low_.end[row]; }

  [[nodiscard]] std::pair<double, double> Enclosing(const std::vector<double>& drawn) const {
    auto draws = static_cast<double>(drawn.size());
    double share = static_cast<double>(k_ - low_.count) / static_cast<double>(Possible());
    double at = share * draws;
    double slack = 3 * std::sqrt(draws * share * (1 - share)) + 1;
    auto index = [&](double x) { return static_cast<std::size_t>(std::clamp(x, 0.0, draws - 1)); };
    return {drawn[index(at - slack)], drawn[index(at + slack)]};
  }

  // The smallest average above `value`, or `value` when there is none.
  double FirstBeyond(double value) {
    CutWhere([&](double v) { return v > value; }, scratch_);
    return FirstAfter(scratch_, value);
  }

  [[nodiscard]] double FirstAfter(const Cut& cut, double otherwise) const {
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < d_.size(); ++i) {
      if (cut.end[i] < d_.size()) least = std::min(least, Average(i, cut.end[i]));
    }
    return std::isinf(least) ? otherwise : least;
  }

  std::pair<double, double> Listed() {
    std::vector<double> left;
    left.reserve(Possible());
    for (std::size_t i = 0; i < d_.size(); ++i) {
      for (std::size_t j = low_.end[i]; j < high_.end[i]; ++j) left.push_back(Average(i, j));
    }
    auto nth = left.begin() + static_cast<std::ptrdiff_t>(k_ - low_.count - 1);
    std::nth_element(left.begin(), nth, left.end());
    auto next = std::min_element(nth + 1, left.end());
    return {*nth, next != left.end() ? *next : FirstAfter(high_, *nth)};
  }

  const std::vector<double>& d_;
  std::uint64_t k_;
  SplitMix64 random_;
  std::size_t draws_;
  Cut low_, high_, scratch_;
  double found_ = 0;
  std::uint64_t at_most_found_ = 0;
};

}  // namespace

double WalshAverage(const std::vector<double>& sorted, std::uint64_t k) {
  return Selection(sorted, k).Run().first;
}

std::pair<double, double> WalshNeighbours(const std::vector<double>& sorted, std::uint64_t k) {
  return Selection(sorted, k).Run();
}

}  // namespace helix::analysis
