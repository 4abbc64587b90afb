#include "core/equivalence/refusals.h"

#include <gtest/gtest.h>

#include "core/equivalence/mismatch_bound.h"

namespace helix::equivalence {
namespace {

// A comparison of 32 equal, varied tokens that nothing is wrong with.
Comparison Sound() {
  Comparison in;
  in.fresh.has_token_ids = true;
  for (int i = 0; i < 32; ++i) in.fresh.tokens.push_back(i * 7 % 31);
  in.fresh.finish = "length";
  in.fresh.prompt_tokens = 100;
  in.cached = in.fresh;
  in.fresh.cached_tokens = 0;
  in.cached.cached_tokens = 99;
  in.fresh.response_sha256 = "f";
  in.cached.response_sha256 = "c";
  return in;
}

std::vector<std::string> CodesOf(const Comparison& in) {
  std::vector<std::string> codes;
  for (const Refusal& refusal : Refusals(in, {})) codes.push_back(refusal.code);
  return codes;
}

using Codes = std::vector<std::string>;

TEST(Refusals, LetASoundComparisonThrough) {
  EXPECT_EQ(CodesOf(Sound()), Codes{});
}

TEST(Refusals, RefuseOneResponseComparedWithItself) {
  Comparison in = Sound();
  in.cached.response_sha256 = in.fresh.response_sha256;
  EXPECT_EQ(CodesOf(in), Codes{"tautology_same_response"});
}

TEST(Refusals, RefuseAFreshSideThatWasCached) {
  Comparison in = Sound();
  in.fresh.cached_tokens = 64;
  EXPECT_EQ(CodesOf(in), Codes{"fresh_was_cached"});
}

TEST(Refusals, RefuseACachedSideThatWasFresh) {
  Comparison in = Sound();
  in.cached.cached_tokens = 0;
  EXPECT_EQ(CodesOf(in), Codes{"cached_was_fresh"});
}

TEST(Refusals, RefuseArmsWithoutACounter) {
  Comparison in = Sound();
  in.cached.cached_tokens.reset();
  EXPECT_EQ(CodesOf(in), Codes{"counter_missing"});
}

TEST(Refusals, RefuseASecondFreshArmThatDoesNotSayWhatItReused) {
  Comparison in = Sound();
  in.fresh_again = in.fresh;
  in.fresh_again->response_sha256 = "g";
  EXPECT_EQ(CodesOf(in), Codes{}) << "zero is a count";
  in.fresh_again->cached_tokens.reset();
  ASSERT_EQ(CodesOf(in), Codes{"counter_missing"});
  EXPECT_NE(Refusals(in, {})[0].reason.find("second fresh"), std::string::npos);
}

TEST(Refusals, RefuseTwoEmptyOutputs) {
  Comparison in = Sound();
  in.cached.tokens.clear();
  in.fresh.tokens.clear();
  EXPECT_EQ(CodesOf(in), Codes{"empty_output"});
}

TEST(Refusals, RefuseOneToken) {
  Comparison in = Sound();
  in.cached.tokens = in.fresh.tokens = {7};
  EXPECT_EQ(CodesOf(in), Codes{"too_few_tokens"});
}

TEST(Refusals, RefuseNormalisedText) {
  Comparison in = Sound();
  in.cached.normalised = true;
  EXPECT_EQ(CodesOf(in), Codes{"normalised_text"});
}

TEST(Refusals, RefuseOutputsThatRepeatOneToken) {
  Comparison in = Sound();
  in.cached.tokens = in.fresh.tokens = std::vector<TokenId>(32, 5);
  EXPECT_EQ(CodesOf(in), Codes{"degenerate_output"});
}

TEST(Refusals, RefusePromptsOfDifferentLength) {
  Comparison in = Sound();
  in.cached.prompt_tokens = 101;
  EXPECT_EQ(CodesOf(in), Codes{"prompt_tokens_differ"});
}

TEST(Refusals, RefuseAModelThatDoesNotReadItsPrompt) {
  EXPECT_EQ(RefusalsAcross({{1}, {2}, {3}}, {{9}, {9}, {9}}).size(), 1U);
  EXPECT_TRUE(RefusalsAcross({{1}, {2}, {3}}, {{9}, {9}, {8}}).empty());
  EXPECT_TRUE(RefusalsAcross({{1}, {2}}, {{9}, {9}}).empty());
}

TEST(MismatchBound, SaysHowLittleZeroOfNProves) {
  EXPECT_EQ(BoundSentence(0, 10), "0 mismatches of 10: supports a mismatch rate below 26 % (95 %)");
  EXPECT_NEAR(MismatchInterval(0, 59).high, 0.0495, 5e-5);
  EXPECT_NEAR(MismatchInterval(0, 300).high, 0.0099, 5e-5);
  EXPECT_EQ(BoundSentence(0, 0), "no comparison was made: nothing is supported");
}

TEST(MismatchBound, GivesTheExactIntervalOfARate) {
  EXPECT_NEAR(MismatchInterval(2, 40).low, 0.006, 5e-4);
  EXPECT_NEAR(MismatchInterval(2, 40).high, 0.169, 5e-4);
  EXPECT_NEAR(MismatchInterval(18, 40).low, 0.293, 5e-4);
  EXPECT_NEAR(MismatchInterval(18, 40).high, 0.615, 5e-4);
  EXPECT_DOUBLE_EQ(MismatchInterval(4, 4).high, 1.0);
}

}  // namespace
}  // namespace helix::equivalence
