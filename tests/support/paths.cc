#include "tests/support/paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace helix::testing_support {

std::string SourceDir() {
  return HELIX_SOURCE_DIR;
}
std::string BinaryDir() {
  return HELIX_BINARY_DIR;
}
std::string TestData(const std::string& relative) {
  return SourceDir() + "/testdata/" + relative;
}

std::string ScratchDir() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(info->test_suite_name()) + "." + info->name();
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  auto dir = std::filesystem::temp_directory_path() / ("helix_test_" + std::to_string(::getpid())) / name;
  std::filesystem::remove_all(dir);
  std::filesystem::create_directories(dir);
  return dir.string();
}

}  // namespace helix::testing_support
