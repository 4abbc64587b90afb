#include "core/experiment/workload.h"

#include <gtest/gtest.h>

#include <set>

#include "core/backend/stub.h"
#include "core/experiment/slot_model.h"

namespace helix::experiment {
namespace {

Workload Make(std::uint64_t seed, const Shape& shape = *ShapeOf("quick", {})) {
  backend::Stub stub;
  auto workload = MakeWorkload(stub, shape, seed, {});
  EXPECT_TRUE(workload);
  return std::move(*workload);
}

TEST(Workload, HasExactlyTheLengthsAskedFor) {
  const Workload workload = Make(7);
  ASSERT_EQ(workload.pairs.size(), 11U);
  for (const PairPrompt& pair : workload.pairs) {
    EXPECT_EQ(pair.prompt.size(), 576U);
    EXPECT_EQ(pair.Prefix().size(), 512U);
    EXPECT_EQ(pair.prompt.front(), 0) << "the start token belongs to the prompt";
  }
}

TEST(Workload, RepeatsNothingBetweenPairs) {
  const Workload workload = Make(7);
  for (std::size_t i = 0; i < workload.pairs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_LT(SharedPrefix(workload.pairs[i].prompt, workload.pairs[j].prompt), 20);
    }
  }
}

TEST(Workload, IsTheSameForTheSameSeedAndAnotherForAnotherSeed) {
  EXPECT_EQ(Make(7).pairs[3].prompt, Make(7).pairs[3].prompt);
  EXPECT_NE(Make(7).pairs[3].prompt, Make(8).pairs[3].prompt);
}

TEST(Workload, ControlHasAnotherPrefixAndTheSameNewTurn) {
  const Workload workload = Make(7);
  int controls = 0;
  for (const PairPrompt& pair : workload.pairs) {
    if (pair.control.empty()) continue;
    ++controls;
    EXPECT_EQ(pair.control.size(), pair.prompt.size());
    EXPECT_LT(SharedPrefix(pair.control, pair.prompt), 20);
    EXPECT_TRUE(std::equal(pair.prompt.begin() + 512, pair.prompt.end(), pair.control.begin() + 512));
  }
  EXPECT_EQ(controls, 4);
}

// A tokenizer that makes one token of every 40 bytes: the first guess of the text's length is too short.
class CoarseTokenizer : public backend::Stub {
 public:
  Result<std::vector<TokenId>> Tokenize(const std::string& text, bool, const RunContext&) override {
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < text.size(); i += 40) ids.push_back(static_cast<TokenId>(text[i]));
    return ids;
  }
};

TEST(Workload, TakesMoreTextWhenTheTokenizerNeedsIt) {
  CoarseTokenizer tokenizer;
  const auto workload = MakeWorkload(tokenizer, *ShapeOf("quick", {}), 1, {});
  ASSERT_TRUE(workload);
  EXPECT_EQ(workload->pairs[0].prompt.size(), 576U);
}

class EmptyTokenizer : public backend::Stub {
 public:
  Result<std::vector<TokenId>> Tokenize(const std::string&, bool, const RunContext&) override {
    return std::vector<TokenId>{};
  }
};

TEST(Workload, GivesUpOnATokenizerThatMakesNoTokens) {
  EmptyTokenizer tokenizer;
  EXPECT_EQ(MakeWorkload(tokenizer, *ShapeOf("quick", {}), 1, {}).error().code, ErrorCode::kProtocol);
}

}  // namespace
}  // namespace helix::experiment
