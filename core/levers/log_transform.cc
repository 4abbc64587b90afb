#include <charconv>
#include <cmath>

#include "core/levers/lines.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

constexpr std::size_t kShortestRun = 4;
constexpr std::size_t kLastLines = 20;
constexpr std::size_t kContext = 2;
constexpr double kOutlierSigmas = 2;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsWordCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The word at `at`, empty when none begins there, and whether it holds a digit.
std::string_view WordAt(std::string_view line, std::size_t at, bool* digit) {
  std::size_t end = at;
  *digit = false;
  for (; end < line.size() && IsWordCharacter(line[end]); ++end) *digit = *digit || IsDigit(line[end]);
  return line.substr(at, end - at);
}

// Equal but for words that hold a digit: times, counts, hashes, ids.
bool SameTemplate(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    bool digit_a = false;
    bool digit_b = false;
    const auto x = WordAt(a, i, &digit_a);
    const auto y = WordAt(b, k, &digit_b);
    if (x.empty() || y.empty()) {
      if (a[i] != b[k]) return false;
      ++i;
      ++k;
      continue;
    }
    if (digit_a != digit_b || (!digit_a && x != y)) return false;
    i += x.size();
    k += y.size();
  }
  return i == a.size() && k == b.size();
}

// Replaces `numbers`.
void NumbersOf(std::string_view line, std::vector<double>& numbers) {
  numbers.clear();
  for (std::size_t at = 0; at < line.size();) {
    if (!IsDigit(line[at]) || (at > 0 && (IsWordCharacter(line[at - 1]) || line[at - 1] == ':'))) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && (IsDigit(line[at]) || line[at] == '.')) ++at;
    double number = 0;
    std::from_chars(line.data() + begin, line.data() + at, number, std::chars_format::fixed);
    numbers.push_back(number);
  }
}

// Lines of a run whose number at some place lies far from that place's mean.
void MarkOutliers(const std::vector<std::string_view>& lines, std::size_t from, std::size_t to,
                  std::vector<bool>& keep) {
  std::vector<std::vector<double>> columns;
  std::vector<double> numbers;
  for (std::size_t i = from; i < to; ++i) {
    NumbersOf(lines[i], numbers);
    if (columns.empty()) columns.resize(numbers.size());
    if (numbers.size() != columns.size()) return;
    for (std::size_t c = 0; c < numbers.size(); ++c) columns[c].push_back(numbers[c]);
  }
  for (const auto& column : columns) {
    double mean = 0;
    double square = 0;
    for (double v : column) mean += v / double(column.size());
    for (double v : column) square += (v - mean) * (v - mean) / double(column.size());
    double sigma = std::sqrt(square);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (sigma > 0 && std::fabs(column[i] - mean) > kOutlierSigmas * sigma) keep[from + i] = true;
    }
  }
}

std::vector<bool> LinesToKeep(const std::vector<std::string_view>& lines) {
  std::vector<bool> keep(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() - i <= kLastLines) keep[i] = true;
    if (!IsErrorLine(lines[i])) continue;
    for (std::size_t k = i >= kContext ? i - kContext : 0; k <= i + kContext && k < lines.size(); ++k)
      keep[k] = true;
  }
  return keep;
}

}  // namespace

std::optional<std::string> CollapseLogRuns(std::string_view block) {
  const auto lines = SplitLines(block);
  if (lines.size() < kLastLines + kShortestRun) return std::nullopt;
  std::vector<bool> keep = LinesToKeep(lines);
  std::vector<bool> drop(lines.size());
  bool any = false;
  for (std::size_t from = 0; from < lines.size();) {
    std::size_t to = from + 1;
    while (to < lines.size() && SameTemplate(lines[from], lines[to])) ++to;
    if (to - from >= kShortestRun) {
      MarkOutliers(lines, from, to, keep);
      for (std::size_t i = from + 1; i + 1 < to; ++i) {
        drop[i] = !keep[i];
        any = any || drop[i];
      }
    }
    from = to;
  }
  if (!any) return std::nullopt;
  std::string out;
  std::size_t gone = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (drop[i]) {
      ++gone;
      continue;
    }
    if (gone > 0) out += "[" + std::to_string(gone) + " lines like these left out]\n";
    gone = 0;
    out += lines[i];
    out += '\n';
  }
  if (!block.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

}  // namespace helix::levers
