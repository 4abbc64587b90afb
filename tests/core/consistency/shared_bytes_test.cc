#include "core/consistency/shared_bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/json.h"
#include "core/base/random.h"

namespace helix::consistency {
namespace {

// Few different values, so that two requests often agree for a while and parts are often empty or absent.
Json SomeItems(SplitMix64& random) {
  Json items = Json::array();
  for (std::uint64_t i = random.Below(4); i > 0; --i) {
    const std::string text = random.Below(2) ? "gr\xC3\xBC\xC3\x9F" : "a longer text\nof two lines";
    items.push_back(Json{{"name", random.Below(2)}, {"text", text}, {"cache_control", random.Below(3)}});
  }
  return items;
}

RequestBody SomeRequest(SplitMix64& random) {
  Json body{{"model", random.Below(4) ? "m" : "n"}, {"messages", SomeItems(random)}};
  if (random.Below(3)) body["tools"] = SomeItems(random);
  if (random.Below(3)) body["system"] = random.Below(2) ? SomeItems(random) : Json("be kind");
  return *ReadRequestBody(std::move(body));
}

TEST(CompareRequests, FindsWhatComparingTheWholeRenderingsFinds) {
  SplitMix64 random(3);
  for (int i = 0; i < 3'000; ++i) {
    const RequestBody a = SomeRequest(random);
    const RequestBody b = random.Below(8) ? SomeRequest(random) : a;
    const auto [tools, system] = CompareRequests(a, b);
    for (const auto& [order, shared] :
         {std::pair(RenderOrder::kToolsFirst, tools), std::pair(RenderOrder::kSystemFirst, system)}) {
      const SharedBytes whole = CompareBytes(RenderForComparison(a, order), RenderForComparison(b, order));
      ASSERT_EQ(shared.common, whole.common) << a.body << "\n" << b.body;
      ASSERT_EQ(shared.total, whole.total) << a.body << "\n" << b.body;
    }
  }
}

TEST(RenderedContext, IsTheContextInTheWholeRendering) {
  SplitMix64 random(4);
  for (int i = 0; i < 300; ++i) {
    const RequestBody request = SomeRequest(random);
    const std::string whole = RenderForComparison(request, RenderOrder::kToolsFirst);
    for (std::size_t offset = 0; offset <= whole.size() + 1; ++offset)
      ASSERT_EQ(RenderedContext(request, offset, 9), ContextAround(whole, offset, 9))
          << offset << " " << whole;
  }
}

TEST(CompareBytes, CountsTheBytesBeforeTheFirstDifference) {
  const std::string text(200, 'x');
  for (const std::size_t at : {0u, 1u, 63u, 64u, 65u, 128u, 199u}) {
    std::string other = text;
    other[at] = 'y';
    EXPECT_EQ(CompareBytes(text, other).common, at);
  }
  EXPECT_EQ(CompareBytes(text, text.substr(0, 70)).common, 70u);
  EXPECT_EQ(CompareBytes(text, text.substr(0, 70)).total, 70u);
}

}  // namespace
}  // namespace helix::consistency
