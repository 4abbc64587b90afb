#include "mcp/serve/prompts.h"

#include <gmock/gmock.h>

#include "core/base/json_fields.h"
#include "mcp/protocol/methods.h"
#include "mcp/serve/instructions.h"

namespace helix::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Catalog WithPrompts() {
  Catalog catalog;
  catalog.prompts = ProductPrompts();
  return catalog;
}

std::string TextOf(const std::string& name, const Json& arguments) {
  Call call;
  auto made = GetPrompt(WithPrompts(), Json{{"name", name}, {"arguments", arguments}}, call);
  return made ? StringAt((*made)["messages"][0], "content/text").value_or("") : made.error().message;
}

TEST(Prompts, AreTheThreeQuestionsUsersAsk) {
  std::vector<std::string> names;
  for (const auto& prompt : ProductPrompts()) names.push_back(*StringAt(prompt.listing, "name"));
  EXPECT_THAT(names, ElementsAre("is_my_cache_working", "why_did_it_miss", "prove_this_claim"));
}

TEST(Prompts, CarryTheUsersArguments) {
  EXPECT_THAT(TextOf("is_my_cache_working", Json{{"endpoint", "http://localhost:1234"}}),
              HasSubstr("http://localhost:1234"));
  EXPECT_THAT(TextOf("is_my_cache_working", Json::object()), HasSubstr("the configured endpoint"));
  const auto miss = TextOf("why_did_it_miss", Json{{"before", "{\"a\":1}"}, {"after", "{\"a\":2}"}});
  EXPECT_LT(miss.find("{\"a\":1}"), miss.find("{\"a\":2}"));
  EXPECT_THAT(TextOf("prove_this_claim", Json{{"claim", "50 times faster"}, {"report", "r.json"}}),
              AllOf(HasSubstr("50 times faster"), HasSubstr("verify_report"), HasSubstr("r.json")));
  EXPECT_THAT(TextOf("prove_this_claim", Json{{"claim", "50 times faster"}}), HasSubstr("bench_track_a"));
}

TEST(Prompts, SayWhichArgumentIsMissing) {
  EXPECT_THAT(TextOf("why_did_it_miss", Json{{"before", "{}"}}), HasSubstr("after"));
  EXPECT_THAT(TextOf("prove_this_claim", Json::object()), HasSubstr("claim"));
}

TEST(Instructions, FitTheClientThatKeepsTheLeast) {
  EXPECT_LT(Instructions().size(), 2048U);
  EXPECT_THAT(Instructions(), Not(HasSubstr("\r")));
}

}  // namespace
}  // namespace helix::mcp
