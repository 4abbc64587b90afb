#include "core/levers/self_information.h"

#include <gtest/gtest.h>

#include "core/levers/gates.h"
#include "tests/core/levers/shapes.h"

namespace helix::levers {
namespace {

// Pieces of one word with the blank before it; a word in `sure` is no surprise.
std::vector<ScoredPiece> Pieces(const std::string& text, const std::vector<std::string>& sure) {
  std::vector<ScoredPiece> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find_first_of(" \n", at + 1);
    if (end == std::string::npos) end = text.size();
    std::string word = text.substr(at, end - at);
    const bool known =
        std::any_of(sure.begin(), sure.end(), [&](const std::string& s) { return word == " " + s; });
    out.push_back({end - at, at == 0 ? std::nullopt : std::optional(known ? -0.1 : -7.0)});
    at = end;
  }
  return out;
}

TEST(SelfInformation, TheLeastSurprisingWordsGoFirst) {
  const std::string text = "Everyone in the big old harbor knows that crane by its sound alone here";
  const auto pieces = Pieces(text, {"the", "old", "that"});
  auto out = PruneByInformation(text, pieces, 0.8, EstimateTokens);
  EXPECT_EQ(out.text, "Everyone in big harbor knows crane by its sound alone here");
  EXPECT_EQ(out.words_dropped, 3u);
}

TEST(SelfInformation, KeepsNegationsNumbersAndUnscoredWords) {
  const std::string text = "This is not the time to go there at all now\nThe bill is 42 of the 50 euros\n";
  auto out = PruneByInformation(text, Pieces(text, {"not", "the", "is", "to", "there"}), 0, EstimateTokens);
  EXPECT_NE(out.text.find(" not "), std::string::npos);
  EXPECT_NE(out.text.find("The bill is 42 of the 50 euros"), std::string::npos);
  EXPECT_TRUE(CheckGates(text, out.text, {"42"}).negations_kept);
  auto silent = Pieces(text, {});
  for (auto& piece : silent) piece.logprob.reset();
  EXPECT_EQ(PruneByInformation(text, silent, 0, EstimateTokens).text, text);
}

TEST(SelfInformation, PiecesThatDoNotCoverTheTextChangeNothing) {
  const std::string text = Prose(3);
  EXPECT_EQ(PruneByInformation(text, {{3, -1.0}}, 0, EstimateTokens).text, text);
  EXPECT_EQ(PruneByInformation(text, {}, 0, EstimateTokens).text, text);
  EXPECT_EQ(PruneByInformation(SourceFile(), Pieces(SourceFile(), {"return"}), 0, EstimateTokens).text,
            SourceFile());
}

}  // namespace
}  // namespace helix::levers
