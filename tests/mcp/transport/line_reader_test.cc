#include "mcp/transport/line_reader.h"

#include <gmock/gmock.h>

#include <vector>

namespace helix::mcp {
namespace {

using ::testing::ElementsAre;

TEST(LineReader, JoinsLinesAtEverySplit) {
  const std::string text = "one é漢😀\r\n\n \t\r\ntwo\nthree";
  for (std::size_t split = 0; split <= text.size(); ++split) {
    std::vector<std::string> lines;
    LineReader reader([&](std::string_view line) { lines.emplace_back(line); }, [] { FAIL(); });
    reader.Feed(text.substr(0, split));
    reader.Feed(text.substr(split));
    reader.Finish();
    EXPECT_THAT(lines, ElementsAre("one é漢😀", "two", "three")) << split;
  }
}

TEST(LineReader, DropsALineThatIsTooLongOnceAndGoesOn) {
  std::vector<std::string> lines;
  int too_long = 0;
  LineReader reader([&](std::string_view line) { lines.emplace_back(line); }, [&] { ++too_long; }, 10);
  for (int i = 0; i < 5; ++i) reader.Feed("0123456789");
  reader.Feed("\nok\n01234567890\n0123456789\n");
  EXPECT_EQ(too_long, 2);
  EXPECT_THAT(lines, ElementsAre("ok", "0123456789"));
}

}  // namespace
}  // namespace helix::mcp
