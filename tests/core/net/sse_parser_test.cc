#include "core/net/sse_parser.h"

#include <gtest/gtest.h>

namespace helix::net {
namespace {

struct Outcome {
  std::string text;  // one line per event: type|id|data, then the end
  Status end;
};

Outcome Parse(const std::vector<std::string_view>& pieces) {
  Outcome out;
  SseParser parser([&](const SseEvent& e) { out.text += e.event + "|" + e.id + "|" + e.data + "\n"; });
  for (std::string_view piece : pieces) {
    if (auto fed = parser.Feed(piece, 1); !fed) {
      out.end = fed;
      return out;
    }
  }
  out.end = parser.Finish();
  out.text += "comments " + std::to_string(parser.comments());
  return out;
}

std::string Events(std::string_view text) {
  return Parse({text}).text;
}

const char kMixed[] =
    "\xEF\xBB\xBF: hello\r\n\r\n"
    "event: delta\r\ndata:{\"t\":\"h\xC3\xA9\xF0\x9F\x98\x80\"}\r\nid: 7\r\n\r\n"
    "data: one\rdata:  two\r\r"
    "data\n\n"
    "retry: 5\nunknown: x\n\n"
    ":ping\n\n"
    "data: [DONE]\r\n\r\n";
const char kMixedEvents[] =
    "delta|7|{\"t\":\"h\xC3\xA9\xF0\x9F\x98\x80\"}\n"
    "|7|one\n two\n"
    "|7|\n"
    "|7|[DONE]\n"
    "comments 2";

TEST(SseParser, ReadsEveryLineEndingFieldFormAndABom) {
  auto whole = Parse({kMixed});
  EXPECT_TRUE(whole.end);
  EXPECT_EQ(whole.text, kMixedEvents);
}

TEST(SseParser, GivesTheSameEventsForEverySplitInTwo) {
  const std::string_view text = kMixed;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    auto split = Parse({text.substr(0, i), text.substr(i)});
    EXPECT_TRUE(split.end) << "split at " << i;
    EXPECT_EQ(split.text, kMixedEvents) << "split at " << i;
  }
}

TEST(SseParser, GivesTheSameEventsForEverySplitInThree) {
  const std::string_view text = kMixed;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (std::size_t j = i; j <= text.size(); ++j) {
      ASSERT_EQ(Parse({text.substr(0, i), text.substr(i, j - i), text.substr(j)}).text, kMixedEvents)
          << i << " " << j;
    }
  }
}

TEST(SseParser, GivesTheSameEventsByteByByte) {
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i + 1 < sizeof kMixed; ++i) bytes.emplace_back(kMixed + i, 1);
  EXPECT_EQ(Parse(bytes).text, kMixedEvents);
}

TEST(SseParser, EveryCutInsideTheLastEventIsAnError) {
  const std::string_view text = "data: a\r\n\r\ndata: b\r\n\r\n";
  for (std::size_t i = 12; i < text.size() - 1; ++i) {
    auto cut = Parse({text.substr(0, i)});
    ASSERT_FALSE(cut.end) << "cut at " << i;
    EXPECT_EQ(cut.end.error().code, ErrorCode::kProtocol);
  }
  EXPECT_TRUE(Parse({text.substr(0, text.size() - 1)}).end) << "a CR alone ends the line";
}

TEST(SseParser, AStreamWithoutAnEventIsAnError) {
  for (const char* text : {"", "\xEF\xBB\xBF", ": ping\n\n", "\n\n", "retry: 3\n\n", "event: x\n\n"}) {
    EXPECT_FALSE(Parse({text}).end) << text;
  }
}

TEST(SseParser, AHalfBomIsNotLost) {
  EXPECT_FALSE(Parse({"\xEF\xBB"}).end);
  EXPECT_EQ(Events("\xEF\xBB"
                   "data: x\n\ndata: y\n\n"),
            "||y\ncomments 0");
}

TEST(SseParser, OnlyTheFirstBomIsDropped) {
  EXPECT_EQ(Events("data: a\n\n\xEF\xBB\xBF"
                   "data: b\n\ndata: c\n\n"),
            "||a\n||c\ncomments 0");
}

TEST(SseParser, RemovesOneSpaceAfterTheColonOnly) {
  EXPECT_EQ(Events("data:  x \n\n"), "|| x \ncomments 0");
}

TEST(SseParser, EventTypeDoesNotOutliveItsEvent) {
  EXPECT_EQ(Events("event: a\n\ndata: x\n\n"), "||x\ncomments 0");
}

TEST(SseParser, IgnoresAnIdWithANul) {
  EXPECT_EQ(Events(std::string_view("id: 1\ndata: x\n\nid: 2\0\ndata: y\n\n", 31)), "|1|x\n|1|y\ncomments 0");
}

TEST(SseParser, AnErrorFieldBecomesAnErrorEvent) {
  EXPECT_EQ(Events("error: {\"code\":500}\n\n"), "error||{\"code\":500}\ncomments 0");
}

TEST(SseParser, StampsAnEventWithTheTimeOfTheBytesThatCompletedIt) {
  std::vector<std::int64_t> times;
  SseParser parser([&](const SseEvent& e) { times.push_back(e.t_ns); });
  ASSERT_TRUE(parser.Feed("data: a\n", 10));
  ASSERT_TRUE(parser.Feed("\ndata: b\n\nda", 20));
  ASSERT_TRUE(parser.Feed("ta: c\n\n", 30));
  EXPECT_EQ(times, (std::vector<std::int64_t>{20, 20, 30}));
}

TEST(SseParser, RefusesAnEventBeyondTheLimitAndStaysRefusing) {
  int events = 0;
  SseParser parser([&](const SseEvent&) { ++events; }, 32);
  ASSERT_TRUE(parser.Feed("data: small\n\n", 0));
  auto one_line = parser.Feed("data: " + std::string(40, 'x'), 0);
  ASSERT_FALSE(one_line);
  EXPECT_EQ(one_line.error().code, ErrorCode::kParse);
  EXPECT_FALSE(parser.Feed("\n\ndata: y\n\n", 0));
  EXPECT_FALSE(parser.Finish());
  EXPECT_EQ(events, 1);
}

TEST(SseParser, RefusesManyLinesThatTogetherGoBeyondTheLimit) {
  SseParser parser([](const SseEvent&) {}, 100);
  Status fed;
  for (int i = 0; i < 40 && fed; ++i) fed = parser.Feed("data: 1234\n", 0);
  EXPECT_FALSE(fed);
}

}  // namespace
}  // namespace helix::net
