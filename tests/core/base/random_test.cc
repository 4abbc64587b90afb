#include "core/base/random.h"

#include <gtest/gtest.h>

namespace helix {
namespace {

TEST(SplitMix64, GivesThePublishedSequence) {
  SplitMix64 rng(1234567);
  EXPECT_EQ(rng.Next(), 6457827717110365317ULL);
  EXPECT_EQ(rng.Next(), 3203168211198807973ULL);
  EXPECT_EQ(rng.Next(), 9817491932198370423ULL);
}

TEST(SplitMix64, GivesTheReferenceIndices) {
  SplitMix64 rng(42);
  std::vector<std::uint64_t> got;
  for (int i = 0; i < 20; ++i) got.push_back(rng.Below(10));
  EXPECT_EQ(got, (std::vector<std::uint64_t>{7, 1, 2, 3, 0, 8, 2, 8, 3, 6, 2, 4, 5, 5, 6, 2, 1, 4, 0, 6}));
}

}  // namespace
}  // namespace helix
