#include "core/levers/block.h"

#include <gtest/gtest.h>

#include "core/levers/gates.h"
#include "tests/core/levers/shapes.h"

namespace helix::levers {
namespace {

double Cut(const BlockResult& result) {
  return 1 - double(result.tokens_after) / double(result.tokens_before);
}

TEST(CompressBlock, TheSixShapesShrinkAndKeepWhatWasPlanted) {
  EXPECT_GT(Cut(CompressBlock(Rows(120, true), EstimateTokens)), 0.3);
  EXPECT_GT(Cut(CompressBlock(Rows(120, false), EstimateTokens)), 0.2);
  EXPECT_GT(Cut(CompressBlock(Log(400), EstimateTokens)), 0.8);
  EXPECT_GT(Cut(CompressBlock(Progress(60), EstimateTokens)), 0.9);
  EXPECT_GT(Cut(CompressBlock(Base64(8192), EstimateTokens)), 0.9);
  EXPECT_GT(Cut(CompressBlock(Prose(40), EstimateTokens)), 0.05);
}

TEST(CompressBlock, IsTheSameBytesEveryTime) {
  for (const auto& text : {Rows(50, true), Log(200), Progress(40), Prose(20)}) {
    EXPECT_EQ(CompressBlock(text, EstimateTokens).text, CompressBlock(text, EstimateTokens).text);
  }
}

TEST(CompressBlock, KeepsARewriteOnlyIfTheCountFalls) {
  auto bytes_are_free = [](std::string_view) { return std::int64_t{500}; };
  auto result = CompressBlock(Rows(120, true), bytes_are_free);
  EXPECT_TRUE(result.applied.empty());
  EXPECT_FALSE(result.rejected.empty());
  EXPECT_EQ(result.text, Rows(120, true));
}

TEST(CompressBlock, LeavesCodeSmallBlocksAndMarkedBlocksAlone) {
  EXPECT_EQ(CompressBlock(SourceFile(), EstimateTokens).left, "code, a diff or a file's content");
  EXPECT_EQ(CompressBlock("{ \"a\": 1 }", EstimateTokens).left, "below 200 tokens");
  EXPECT_EQ(CompressBlock("<nocompress>" + Rows(120, true), EstimateTokens).left, "marked <nocompress>");
}

TEST(CompressBlock, LosslessRewritesKeepEveryFact) {
  auto rows = CompressBlock(Rows(120, true), EstimateTokens);
  EXPECT_TRUE(rows.lossless);
  auto gates = CheckGates(Rows(120, true), rows.text, {"service-3", "eu-west"});
  EXPECT_TRUE(gates.needles_kept);
  EXPECT_TRUE(gates.negations_kept);
  EXPECT_TRUE(gates.error_lines_kept);
  EXPECT_FALSE(CompressBlock(Log(400), EstimateTokens).lossless);
}

TEST(Gates, SeeALostNumberANewOneAndALostNegation) {
  EXPECT_FALSE(CheckGates("port 8080 open", "port open", {}).facts_kept);
  EXPECT_FALSE(CheckGates("port 8080", "port 8080 and 9", {}).no_new_facts);
  EXPECT_FALSE(CheckGates("do not delete", "do delete", {}).negations_kept);
  EXPECT_FALSE(CheckGates("a\nERROR x\n", "a\n", {}).error_lines_kept);
  EXPECT_FALSE(CheckGates("abc", "ab", {"abc"}).needles_kept);
  EXPECT_TRUE(CheckGates("port 8080 is not open", "port 8080 not open", {"8080"}).facts_kept);
}

}  // namespace
}  // namespace helix::levers
