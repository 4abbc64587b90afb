#include "core/cost/break_even.h"

#include <gtest/gtest.h>

#include "tests/core/cost/rows.h"

namespace helix::cost {
namespace {

const Price kInput = Dollars(1);
const Price kFive = Dollars(1.25);
const Price kHour = Dollars(2);

TEST(BreakEven, FiveMinutesPayFromTheSecondRequestAnHourFromTheThird) {
  for (double r : {0.1, 0.05, 0.025}) {
    EXPECT_EQ(BreakEvenRequests(kInput, kFive, Dollars(r)), 2) << r;
    EXPECT_EQ(BreakEvenRequests(kInput, kHour, Dollars(r)), 3) << r;
  }
  EXPECT_EQ(BreakEvenRequests(kInput, kInput, Dollars(0.1)), 2);  // writes at the input price
  EXPECT_FALSE(BreakEvenRequests(kInput, kFive, kInput));
}

TEST(BreakEven, AnUnreadPrefixLosesTheWritePremium) {
  EXPECT_EQ(LossIfNeverRead(kInput, kFive), Dollars(0.25));
  EXPECT_EQ(LossIfNeverRead(kInput, kHour), Dollars(1));
}

TEST(BreakEven, KeepAlivesBeatTheHourWhileTheyCostLess) {
  EXPECT_EQ(KeepAlivesUpToOneHour(kFive, kHour, Dollars(0.1)), 7);
  EXPECT_EQ(KeepAlivesUpToOneHour(kFive, kHour, Dollars(0.05)), 15);
  EXPECT_EQ(KeepAlivesUpToOneHour(kFive, kHour, Dollars(0.025)), 30);
  EXPECT_FALSE(KeepAlivesUpToOneHour(kFive, kHour, Dollars(0)));
  EXPECT_DOUBLE_EQ(*WorthKeepingAlive(kFive, Dollars(0.1)), 0.1 / 1.15);
}

TEST(BreakEven, CheaperReadsMakeRewritingHistoryDearer) {
  EXPECT_NEAR(*TurnsToRepayRewrite(kFive, Dollars(0.1), Tokens{1}, Tokens{1}), 11.5, 1e-12);
  EXPECT_NEAR(*TurnsToRepayRewrite(kFive, Dollars(0.05), Tokens{1}, Tokens{1}), 24, 1e-12);
  EXPECT_NEAR(*TurnsToRepayRewrite(kFive, Dollars(0.025), Tokens{1}, Tokens{1}), 49, 1e-12);
  EXPECT_NEAR(*TurnsToRepayRewrite(kFive, Dollars(0.1), Tokens{40000}, Tokens{2000}), 230, 1e-9);
  EXPECT_FALSE(TurnsToRepayRewrite(kFive, Dollars(0.1), Tokens{1}, Tokens{0}));
}

TEST(BreakEven, CompressingOnEntryGainsTheWriteAndEveryRead) {
  EXPECT_DOUBLE_EQ(GainPerTokenOnEntry(kInput, kFive, Dollars(0.1), 20), 3.25);
}

TEST(BreakEven, CompressionBelowTheMinimumLosesFromTheFifthUse) {
  const PriceRow sonnet = Anthropic("claude-sonnet-4-6");
  auto cached = [&](int n) { return ToText(CachedUses(Tokens{3000}, *sonnet.write_5m, *sonnet.read, n)); };
  auto plain = [&](int n) { return ToText(PlainUses(Tokens{1000}, *sonnet.in, n)); };
  EXPECT_EQ(cached(1), "0.01125");
  EXPECT_EQ(plain(1), "0.003");
  EXPECT_EQ(cached(5), "0.01485");
  EXPECT_EQ(plain(5), "0.015");
  EXPECT_EQ(cached(10), "0.01935");
  EXPECT_EQ(plain(10), "0.03");
}

}  // namespace
}  // namespace helix::cost
