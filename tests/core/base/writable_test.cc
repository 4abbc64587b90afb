#include "core/base/writable.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/file.h"
#include "tests/support/paths.h"

namespace helix {
namespace {

TEST(RequireWritable, SaysBeforehandWhatCannotBeWritten) {
  const std::string folder = testing_support::ScratchDir() + "/new";
  EXPECT_TRUE(RequireWritable(folder + "/deep/file"));
  EXPECT_FALSE(std::filesystem::exists(folder)) << "asking changes nothing";
  ASSERT_TRUE(WriteFileAtomic(folder + "/file", "x"));
  EXPECT_TRUE(RequireWritable(folder + "/file"));
  EXPECT_TRUE(RequireWritable("here.json"));
  EXPECT_FALSE(RequireWritable(folder)) << "a folder";
  EXPECT_FALSE(RequireWritable(folder + "/file/below")) << "below a file";
}

}  // namespace
}  // namespace helix
