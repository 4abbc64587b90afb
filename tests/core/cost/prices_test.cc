#include "core/cost/prices.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/core/cost/rows.h"
#include "tests/support/paths.h"

namespace helix::cost {
namespace {

TEST(Prices, TheBuiltInFileIsReadWhole) {
  EXPECT_GE(PriceTable::BuiltIn().rows().size(), 30u);
}

TEST(Prices, EveryBuiltInRowHasASourceAndADate) {
  for (const auto& row : PriceTable::BuiltIn().rows()) {
    EXPECT_FALSE(row.source.empty()) << row.model;
    EXPECT_EQ(row.as_of.size(), 10u) << row.model;
    EXPECT_TRUE(row.evidence == "vendor" || row.evidence == "third_party") << row.model;
  }
}

TEST(Prices, AModelIdLosesItsSuffixAndDateOnly) {
  EXPECT_EQ(BareModelId("claude-opus-5-5[1m]"), "claude-opus-5-5");
  EXPECT_EQ(BareModelId("claude-opus-5-20260724"), "claude-opus-5");
  EXPECT_EQ(BareModelId("claude-opus-5-20260724[1m]"), "claude-opus-5");
  EXPECT_EQ(BareModelId("claude-haiku-4-5@20251001"), "claude-haiku-4-5");
  EXPECT_EQ(BareModelId("gpt-5.5-2026-03-01"), "gpt-5.5");
  EXPECT_EQ(BareModelId("claude-opus-5-5"), "claude-opus-5-5");
}

TEST(Prices, AnUnknownModelHasNoPriceAndNoRelativesPrice) {  // kurofune/claudit v1.8.2
  EXPECT_EQ(Anthropic("claude-opus-5-5[1m]").in, Dollars(4));
  EXPECT_EQ(Anthropic("claude-opus-5-20260724").in, Dollars(5));
  const auto& table = PriceTable::BuiltIn();
  EXPECT_FALSE(table.Find("anthropic", "claude-opus-9", "2026-12-01T00:00:00Z", 1));
  EXPECT_FALSE(table.Find("anthropic", "claude-opus", "2026-12-01T00:00:00Z", 1));
  EXPECT_FALSE(table.Find("openrouter", "claude-opus-5", "2026-12-01T00:00:00Z", 1));
}

TEST(Prices, TheRowFollowsTheDate) {
  const auto& table = PriceTable::BuiltIn();
  EXPECT_EQ(table.Find("anthropic", "claude-sonnet-5-5", "2026-10-06T23:59:59Z", 1)->read, Dollars(0.2));
  EXPECT_EQ(table.Find("anthropic", "claude-sonnet-5-5", "2026-10-07T00:00:00Z", 1)->read, Dollars(0.1));
  EXPECT_FALSE(table.Find("anthropic", "claude-sonnet-5-5", "2026-09-01T00:00:00Z", 1));
}

TEST(Prices, TheBandFollowsTheWholePrompt) {
  const auto& table = PriceTable::BuiltIn();
  EXPECT_EQ(table.Find("anthropic", "claude-haiku-5-5", "2026-12-01T00:00:00Z", 0)->in, Dollars(0.1));
  EXPECT_EQ(table.Find("anthropic", "claude-haiku-5-5", "2026-12-01T00:00:00Z", 100000)->in, Dollars(0.1));
  EXPECT_EQ(table.Find("anthropic", "claude-haiku-5-5", "2026-12-01T00:00:00Z", 100001)->in, Dollars(0.5));
}

TEST(Prices, PeakHoursHoldOnWeekdaysOnly) {
  const auto& table = PriceTable::BuiltIn();
  auto in = [&](const char* utc) { return table.Find("deepseek", "deepseek-v4-flash", utc, 1)->in; };
  EXPECT_EQ(in("2026-12-01T00:59:59Z"), Dollars(0.15));  // a Tuesday
  EXPECT_EQ(in("2026-12-01T01:00:00Z"), Dollars(0.3));
  EXPECT_EQ(in("2026-12-01T04:00:00Z"), Dollars(0.15));
  EXPECT_EQ(in("2026-12-01T09:59:59Z"), Dollars(0.3));
  EXPECT_EQ(in("2026-12-05T02:00:00Z"), Dollars(0.15));  // a Saturday
  EXPECT_EQ(in("2026-08-01T02:00:00Z"), Dollars(0.14));
}

TEST(Prices, AUsersFileAddsAndReplacesRows) {
  const std::string file = testing_support::ScratchDir() + "/prices.json";
  ASSERT_TRUE(WriteFileAtomic(file, R"({"format":"helix.prices/1","rows":[
    {"route":"anthropic","model":"claude-opus-5","source":"our contract","usd_per_mtok":{"in":1,"out":2}},
    {"route":"mine","model":"m","source":"x","usd_per_mtok":{"in":0.5}}]})"));
  auto table = LoadPrices(file);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->Find("anthropic", "claude-opus-5", "2026-12-01T00:00:00Z", 1)->in, Dollars(1));
  EXPECT_EQ(table->Find("mine", "m", "2026-12-01T00:00:00Z", 1)->in, Dollars(0.5));
  EXPECT_EQ(table->Find("anthropic", "claude-opus-4-8", "2026-12-01T00:00:00Z", 1)->in, Dollars(5));
}

TEST(Prices, ABadRowIsRefusedByItsNumber) {
  for (const char* row :
       {R"({"model":"m"})", R"({"route":"r","model":"m","source":"s","usd_per_mtok":{"in":-1}})",
        R"({"route":"r","model":"m","source":"s","usd_per_mtok":{"in":0.00000001}})",
        R"({"route":"r","model":"m","usd_per_mtok":{"in":1}})",
        R"({"route":"r","model":"m","source":"s","from":"yesterday","usd_per_mtok":{"in":1}})",
        R"({"route":"r","model":"m","source":"s","peak":{"days":"all"},"usd_per_mtok":{"in":1}})"}) {
    auto table =
        PriceTable::FromJson(*ParseJson(std::string(R"({"format":"helix.prices/1","rows":[)") + row + "]}"));
    ASSERT_FALSE(table) << row;
    EXPECT_NE(table.error().message.find("row 0"), std::string::npos);
  }
}

}  // namespace
}  // namespace helix::cost
