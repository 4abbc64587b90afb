#include "mcp/protocol/result_budget.h"

#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "mcp/protocol/paging.h"

namespace helix::mcp {
namespace {

TEST(ResultBudget, LeavesWhatFits) {
  const Json small{{"a", Json::array({1, 2, 3})}};
  EXPECT_EQ(FitBudget(small), small);
}

TEST(ResultBudget, CutsTheLongestListAndSaysSo) {
  Json big{{"verdict", "PASS"}, {"rows", Json::array()}};
  for (int i = 0; i < 5000; ++i) big["rows"].push_back(Json{{"i", i}});
  const Json cut = FitBudget(big);
  EXPECT_LE(DumpPretty(cut).size(), kResultBudget);
  EXPECT_EQ(cut["verdict"], "PASS");
  EXPECT_EQ(cut["truncated"]["/rows"]["total"], 5000);
  EXPECT_EQ(cut["truncated"]["/rows"]["shown"], cut["rows"].size());
  EXPECT_GT(cut["rows"].size(), 50U);
}

TEST(ResultBudget, CutsTextsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "漢";
  const Json cut = FitBudget(Json{{"text", text}});
  EXPECT_LE(DumpPretty(cut).size(), kResultBudget);
  EXPECT_EQ(cut["text"].get<std::string>().size() % 3, 0U);
  EXPECT_EQ(cut["truncated"]["/text"]["total"], 60000);
}

TEST(ResultBudget, EndsWhereNothingCanBeCut) {
  Json wide = Json::object();
  for (int i = 0; i < 2000; ++i) wide["key_" + std::to_string(i)] = i;
  EXPECT_EQ(FitBudget(wide)["key_1999"], 1999);
}

TEST(Paging, WalksAListBySizeAndRefusesForeignCursors) {
  std::vector<Json> items;
  for (int i = 0; i < 100; ++i) items.push_back(Json{{"i", i}});
  std::size_t seen = 0;
  Json params = Json::object();
  for (int page = 0; page < 50; ++page) {
    auto one = Page("items", items, params, 200);
    ASSERT_TRUE(one);
    for (const Json& item : (*one)["items"]) EXPECT_EQ(item["i"], seen++);
    const Json* next = Find(*one, "nextCursor");
    if (next == nullptr) break;
    params["cursor"] = *next;
  }
  EXPECT_EQ(seen, items.size());
  for (const char* cursor : {"p0", "p100", "x", "p1x", "p-1", "p99999999999999999999"}) {
    EXPECT_FALSE(Page("items", items, Json{{"cursor", cursor}})) << cursor;
  }
  EXPECT_TRUE(Page("items", items, Json{{"cursor", ""}}));
}

}  // namespace
}  // namespace helix::mcp
