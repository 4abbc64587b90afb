#include "core/levers/extract.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/levers/gates.h"

namespace helix::levers {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

std::vector<std::string> Terms(std::string_view text) {
  std::vector<std::string> terms;
  std::string term;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80) {
      term += c;
    } else if (!term.empty()) {
      terms.push_back(std::move(term));
      term.clear();
    }
  }
  return terms;
}

std::vector<std::string_view> Paragraphs(std::string_view text) {
  std::vector<std::string_view> units;
  while (!text.empty()) {
    auto end = text.find("\n\n");
    auto unit = text.substr(0, end);
    if (unit.find_first_not_of(" \n\t\r") != std::string_view::npos) units.push_back(unit);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 2);
  }
  return units;
}

std::set<std::size_t> AlwaysKept(const std::vector<std::string_view>& units, std::string_view query) {
  auto named = Facts(query);
  std::set<std::size_t> kept = {0, units.size() - 1};
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].starts_with('#')) kept.insert(i);
    for (const auto& fact : named) {
      if (units[i].find(fact) != std::string_view::npos) kept.insert(i);
    }
  }
  return kept;
}

std::string Join(const std::vector<std::string_view>& units, const std::set<std::size_t>& kept) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i : kept) {
    if (i != next) out += "[...]\n\n";
    out += std::string(units[i]) + "\n\n";
    next = i + 1;
  }
  if (out.size() >= 2) out.resize(out.size() - 2);
  return out;
}

}  // namespace

std::vector<double> Bm25(const std::vector<std::string_view>& units, std::string_view query) {
  std::vector<std::map<std::string, double>> counts(units.size());
  std::map<std::string, double> documents;
  double total = 0;
  std::vector<double> lengths(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (auto& term : Terms(units[i])) {
      if (counts[i][term]++ == 0) ++documents[term];
      ++lengths[i];
      ++total;
    }
  }
  const double n = double(units.size());
  const double average = total / std::max(n, 1.0);
  std::vector<double> scores(units.size());
  for (const auto& term : Terms(query)) {
    double df = documents.contains(term) ? documents[term] : 0;
    double idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
    for (std::size_t i = 0; i < units.size(); ++i) {
      auto it = counts[i].find(term);
      if (it == counts[i].end()) continue;
      scores[i] += idf * it->second * (kK1 + 1) / (it->second + kK1 * (1 - kB + kB * lengths[i] / average));
    }
  }
  return scores;
}

Extracted ExtractRelevant(std::string_view document, std::string_view query, double keep_share,
                          const TokenCounter& count) {
  const auto units = Paragraphs(document);
  if (units.size() < 3) return {std::string(document), units.size(), units.size()};
  const auto scores = Bm25(units, query);
  auto kept = AlwaysKept(units, query);
  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  const double budget = keep_share * double(count(document));
  for (std::size_t best : order) {
    if (scores[best] <= 0) break;
    auto more = kept;
    for (std::size_t i = best == 0 ? 0 : best - 1; i <= best + 1 && i < units.size(); ++i) more.insert(i);
    if (double(count(Join(units, more))) <= budget) kept = std::move(more);
  }
  return {Join(units, kept), units.size(), kept.size()};
}

}  // namespace helix::levers
