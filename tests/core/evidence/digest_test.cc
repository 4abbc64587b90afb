#include "core/evidence/digest.h"

#include <gtest/gtest.h>

namespace helix::evidence {
namespace {

TEST(Sha256, GivesTheStandardVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, StartsAfreshAfterFinish) {
  Sha256 hasher;
  hasher.Update("ab");
  hasher.Update("c");
  EXPECT_EQ(hasher.Finish(), Sha256Of("abc"));
  EXPECT_EQ(hasher.Finish(), Sha256Of(""));
}

}  // namespace
}  // namespace helix::evidence
