#include "core/base/file.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace helix {
namespace {

std::string Scratch(const std::string& name) {
  auto dir = std::filesystem::path(testing::TempDir()) / ("helix_file_test_" + name);
  std::filesystem::remove_all(dir);
  return dir.string();
}

TEST(WriteFileAtomic, CreatesFoldersAndReplacesWholeFiles) {
  std::string path = Scratch("a") + "/deep/file";
  ASSERT_TRUE(WriteFileAtomic(path, "first, longer"));
  ASSERT_TRUE(WriteFileAtomic(path, "second"));
  EXPECT_EQ(ReadFile(path).value(), "second");
  int entries = 0;
  for (auto& e : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
    entries += e.exists();
  EXPECT_EQ(entries, 1) << "no temporary file may stay behind";
}

TEST(ReadFile, SaysWhatIsWrong) {
  auto missing = ReadFile(Scratch("b") + "/none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(ReadFile("/"));
}

}  // namespace
}  // namespace helix
