#include <gtest/gtest.h>

#include "core/levers/extract.h"
#include "core/levers/gates.h"
#include "core/levers/prune.h"
#include "tests/core/levers/shapes.h"

namespace helix::levers {
namespace {

TEST(Prune, DropsFrequentWordsAndKeepsNegationsAndNumbers) {
  const std::string text =
      "It was really a very long walk and that was not easy.\nThe bill is 42 of the 50.\n";
  auto out = PruneFrequentWords(text, 0, EstimateTokens);
  EXPECT_EQ(out.text, "It long walk and not easy.\nThe bill is 42 of the 50.\n");
  EXPECT_TRUE(CheckGates(text, out.text, {"42"}).negations_kept);
}

TEST(Prune, StopsAtTheShareAsked) {
  const std::string prose = Prose(30);
  auto out = PruneFrequentWords(prose, 0.95, EstimateTokens);
  EXPECT_LE(double(EstimateTokens(out.text)), 0.95 * double(EstimateTokens(prose)));
  EXPECT_GT(double(EstimateTokens(out.text)), 0.90 * double(EstimateTokens(prose)));
  EXPECT_EQ(PruneFrequentWords(prose, 1, EstimateTokens).text, prose);
  EXPECT_EQ(PruneFrequentWords(SourceFile(), 0, EstimateTokens).text, SourceFile());
}

TEST(Bm25, MatchesItsFormula) {
  auto scores = Bm25({"red fox", "blue fox fox", "green hen"}, "fox");
  const double idf = std::log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  EXPECT_NEAR(scores[0], idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / (7.0 / 3))), 1e-12);
  EXPECT_NEAR(scores[1], idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / (7.0 / 3))), 1e-12);
  EXPECT_EQ(scores[2], 0);
}

TEST(Extract, KeepsWhatTheQuestionIsAboutInOrder) {
  std::string document = "# Harbor report\n\n";
  for (int i = 0; i < 40; ++i)
    document += "Paragraph about weather and wind over the northern sea, as every year.\n\n";
  document += "The crane licence number is KX-4471 and it ends in May.\n\n";
  for (int i = 0; i < 40; ++i)
    document += "Another paragraph about ships that come and go without any trouble at all.\n\n";
  document += "End of report.";
  auto out = ExtractRelevant(document, "What is the crane licence number?", 0.2, EstimateTokens);
  EXPECT_NE(out.text.find("KX-4471"), std::string::npos);
  EXPECT_TRUE(out.text.starts_with("# Harbor report"));
  EXPECT_TRUE(out.text.ends_with("End of report."));
  EXPECT_LT(EstimateTokens(out.text), EstimateTokens(document) / 4);
}

}  // namespace
}  // namespace helix::levers
