#include "core/backend/stub.h"

#include <gtest/gtest.h>

namespace helix::backend {
namespace {

GenerateRequest Request(int prefix, bool use_cache) {
  GenerateRequest request;
  for (int i = 0; i < prefix; ++i) request.prompt.push_back(i % 90);
  request.output_tokens = 8;
  request.use_cache = use_cache;
  request.stream = true;
  return request;
}

TEST(Stub, IsTheSameForTheSameSeed) {
  Stub a;
  Stub b;
  for (int i = 0; i < 5; ++i) {
    const auto from_a = a.Generate(Request(100 + i, true), {});
    const auto from_b = b.Generate(Request(100 + i, true), {});
    ASSERT_TRUE(from_a && from_b);
    EXPECT_EQ(from_a->total_ns, from_b->total_ns);
    EXPECT_EQ(from_a->tokens, from_b->tokens);
  }
}

TEST(Stub, ReusesTheSharedPrefixAndRecomputesAtLeastOneToken) {
  Stub stub;
  EXPECT_EQ(stub.Generate(Request(100, true), {})->cached_tokens.value(), 0);
  EXPECT_EQ(stub.Generate(Request(100, true), {})->cached_tokens.value(), 99);
  EXPECT_EQ(stub.Generate(Request(100, false), {})->cached_tokens.value(), 0);
}

TEST(Stub, AnswersDependOnThePromptAndNotOnTheCache) {
  Stub stub;
  const auto cold = stub.Generate(Request(100, false), {});
  const auto warm = stub.Generate(Request(100, true), {});
  const auto other = stub.Generate(Request(101, false), {});
  EXPECT_EQ(cold->tokens, warm->tokens);
  EXPECT_NE(cold->tokens, other->tokens);
}

TEST(Stub, DiesWhenToldAndStaysDead) {
  StubOptions options;
  options.faults.dies_at_call = 1;
  Stub stub(options);
  EXPECT_TRUE(stub.Generate(Request(10, true), {}));
  EXPECT_EQ(stub.Generate(Request(10, true), {}).error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(stub.Generate(Request(10, true), {}));
}

}  // namespace
}  // namespace helix::backend
