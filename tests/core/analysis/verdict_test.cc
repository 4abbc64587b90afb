// The verdict as a pure function: every combination of its inputs.
#include "core/analysis/verdict.h"

#include <gtest/gtest.h>

namespace helix::analysis {
namespace {

std::optional<PairedRatio> Ratio(std::size_t pairs, double low, double high) {
  PairedRatio r;
  r.pairs = pairs;
  r.ratio = {(low + high) / 2, true, low, high};
  return r;
}

TEST(Decide, FollowsThePrecedenceForEveryCombination) {
  const std::vector<std::optional<PairedRatio>> ratios = {std::nullopt,          Ratio(9, 2, 3),
                                                          Ratio(10, 2, 3),       Ratio(10, 0.2, 0.3),
                                                          Ratio(10, 0.98, 1.02), Ratio(10, 0.8, 1.3)};
  for (bool skipped : {false, true}) {
    for (bool fail : {false, true}) {
      for (bool inconclusive : {false, true}) {
        for (bool unchecked : {false, true}) {
          for (bool synthetic : {false, true}) {
            for (std::size_t i = 0; i < ratios.size(); ++i) {
              VerdictFacts facts{skipped, synthetic, fail, {}, {}, ratios[i]};
              if (inconclusive) facts.inconclusive = {"unpaired"};
              if (unchecked) facts.unchecked = {"A01"};
              Verdict verdict = Decide(facts).verdict;
              bool decided = i == 2 || i == 3 || i == 4;
              Verdict expected = fail                                                 ? Verdict::kFail
                                 : skipped                                            ? Verdict::kSkip
                                 : inconclusive || unchecked || synthetic || !decided ? Verdict::kInconclusive
                                                                                      : Verdict::kPass;
              EXPECT_EQ(verdict, expected) << skipped << fail << inconclusive << unchecked << synthetic << i;
            }
          }
        }
      }
    }
  }
}

TEST(Decide, NamesTheDirection) {
  auto direction = [](double low, double high) {
    return Decide({false, false, false, {}, {}, Ratio(10, low, high)}).direction;
  };
  EXPECT_EQ(direction(1.001, 2), "faster");
  EXPECT_EQ(direction(0.999, 2), "");
  EXPECT_EQ(direction(0.5, 0.999), "slower");
  EXPECT_EQ(direction(0.953, 1.05), "no_practical_difference");
  EXPECT_EQ(direction(0.953, 1.051), "");
}

TEST(Decide, GivesNoDirectionToAFailure) {
  EXPECT_EQ(Decide({false, false, true, {}, {}, Ratio(10, 2, 3)}).direction, "");
}

}  // namespace
}  // namespace helix::analysis
