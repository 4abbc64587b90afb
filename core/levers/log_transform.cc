#include <cmath>
#include <set>

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

// The line with every word that holds a digit replaced: times, counts, hashes, ids.
std::string TemplateOf(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    if (!IsWordCharacter(line[at])) {
      out += line[at++];
      continue;
    }
    std::size_t end = at;
    bool digit = false;
    for (; end < line.size() && IsWordCharacter(line[end]); ++end) digit = digit || IsDigit(line[end]);
    out += digit ? "#" : std::string(line.substr(at, end - at));
    at = end;
  }
  return out;
}

std::vector<double> NumbersOf(std::string_view line) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at < line.size();) {
    if (!IsDigit(line[at]) || (at > 0 && (IsWordCharacter(line[at - 1]) || line[at - 1] == ':'))) {
      ++at;
      continue;
    }
    std::string digits;
    while (at < line.size() && (IsDigit(line[at]) || line[at] == '.')) digits += line[at++];
    numbers.push_back(std::strtod(digits.c_str(), nullptr));
  }
  return numbers;
}

// Lines of a run whose number at some place lies far from that place's mean.
void MarkOutliers(const std::vector<std::string_view>& lines, std::size_t from, std::size_t to,
                  std::set<std::size_t>& keep) {
  std::vector<std::vector<double>> columns;
  for (std::size_t i = from; i < to; ++i) {
    auto numbers = NumbersOf(lines[i]);
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
      if (sigma > 0 && std::fabs(column[i] - mean) > kOutlierSigmas * sigma) keep.insert(from + i);
    }
  }
}

std::set<std::size_t> LinesToKeep(const std::vector<std::string_view>& lines) {
  std::set<std::size_t> keep;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() - i <= kLastLines) keep.insert(i);
    if (!IsErrorLine(lines[i])) continue;
    for (std::size_t k = i >= kContext ? i - kContext : 0; k <= i + kContext && k < lines.size(); ++k)
      keep.insert(k);
  }
  return keep;
}

}  // namespace

std::optional<std::string> CollapseLogRuns(std::string_view block) {
  const auto lines = SplitLines(block);
  if (lines.size() < kLastLines + kShortestRun) return std::nullopt;
  std::set<std::size_t> keep = LinesToKeep(lines);
  std::vector<std::string> templates;
  for (auto line : lines) templates.push_back(TemplateOf(line));
  std::set<std::size_t> drop;
  for (std::size_t from = 0; from < lines.size();) {
    std::size_t to = from + 1;
    while (to < lines.size() && templates[to] == templates[from]) ++to;
    if (to - from >= kShortestRun) {
      MarkOutliers(lines, from, to, keep);
      for (std::size_t i = from + 1; i + 1 < to; ++i) {
        if (!keep.contains(i)) drop.insert(i);
      }
    }
    from = to;
  }
  if (drop.empty()) return std::nullopt;
  std::string out;
  std::size_t gone = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (drop.contains(i)) {
      ++gone;
      continue;
    }
    if (gone > 0) out += "[" + std::to_string(gone) + " lines like these left out]\n";
    gone = 0;
    out += std::string(lines[i]) + '\n';
  }
  if (!block.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

}  // namespace helix::levers
