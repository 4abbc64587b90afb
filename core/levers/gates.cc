#include "core/levers/gates.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/levers/lines.h"

namespace helix::levers {
namespace {

constexpr std::size_t kListed = 20;

bool IsFactCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
         c == '.' || c == '/' || c == ':';
}

bool HasDigit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view Trim(std::string_view word) {
  while (!word.empty() && (word.back() == '.' || word.back() == ':' || word.back() == '-'))
    word.remove_suffix(1);
  return word;
}

// Text of ours in place of what went.
std::string WithoutPlaceholders(std::string_view text) {
  std::string out;
  for (auto line : SplitLines(text)) {
    bool ours = line.starts_with("[") &&
                (line.ends_with(" lines like these left out]") || line.starts_with("[same as "));
    if (!ours) out += std::string(line) + '\n';
  }
  for (std::size_t at; (at = out.find("[base64: ")) != std::string::npos;) {
    auto end = out.find(']', at);
    out.erase(at, end == std::string::npos ? std::string::npos : end - at + 1);
  }
  return out;
}

std::int64_t Negations(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kWords = {"not", "no", "never", "unless", "except"};
  std::int64_t count = 0;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_') {
      word += c;
      continue;
    }
    count += std::find(kWords.begin(), kWords.end(), word) != kWords.end();
    word.clear();
  }
  return count;
}

}  // namespace

bool KeepsErrorLines(std::string_view before, std::string_view after) {
  std::multiset<std::string_view> kept;
  for (auto line : SplitLines(after)) kept.insert(line);
  for (auto line : SplitLines(before)) {
    if (!IsErrorLine(line) || line.find_first_of("\r\x1b") != std::string_view::npos) continue;
    auto it = kept.find(line);
    if (it == kept.end()) return false;
    kept.erase(it);
  }
  return true;
}

std::vector<std::string> Facts(std::string_view text) {
  std::vector<std::string> facts;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsFactCharacter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsFactCharacter(text[end])) ++end;
    auto word = Trim(text.substr(at, end - at));
    if (HasDigit(word)) facts.emplace_back(word);
    at = end;
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

GateReport CheckGates(std::string_view before, std::string_view after,
                      const std::vector<std::string>& needles) {
  GateReport report;
  const std::string ours = WithoutPlaceholders(after);
  auto all_before = Facts(before);
  auto all_after = Facts(ours);
  std::set<std::string> had(all_before.begin(), all_before.end());
  std::set<std::string> has(all_after.begin(), all_after.end());
  for (const auto& fact : had) {
    if (!has.contains(fact) && report.lost_facts.size() < kListed) report.lost_facts.push_back(fact);
  }
  report.facts_kept = report.lost_facts.empty();
  report.no_new_facts = std::includes(had.begin(), had.end(), has.begin(), has.end());
  report.error_lines_kept = KeepsErrorLines(before, after);
  report.negations_kept = Negations(ours) == Negations(before);
  report.needles_kept = std::all_of(needles.begin(), needles.end(), [&](const std::string& needle) {
    return after.find(needle) != std::string_view::npos;
  });
  return report;
}

Json GateReport::ToJson() const {
  return {{"facts_kept", facts_kept},
          {"no_new_facts", no_new_facts},
          {"error_lines_kept", error_lines_kept},
          {"negations_kept", negations_kept},
          {"planted_facts_kept", needles_kept},
          {"lost_facts", lost_facts},
          {"exact_answers", "not_applicable: needs a model that reads"},
          {"tool_call_equality", "not_applicable: needs a model that reads"}};
}

}  // namespace helix::levers
