// Lossy, opt-in: keeps the paragraphs of a document that a question is about. BM25 with k1 = 1.2, b = 0.75
// (Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/levers/token_counter.h"

namespace helix::levers {

struct Extracted {
  std::string text;
  std::size_t units = 0;
  std::size_t kept = 0;
};

// Scores of each unit for the query's words, in order.
std::vector<double> Bm25(const std::vector<std::string_view>& units, std::string_view query);

// Units are paragraphs. Kept whatever their score: headings, the first and last unit, units with a number or
// identifier that the query names. Then the best ones with their neighbours while `keep_share` of the tokens
// allows. The order stays; gaps are marked "[...]".
Extracted ExtractRelevant(std::string_view document, std::string_view query, double keep_share,
                          const TokenCounter& count);

}  // namespace helix::levers
