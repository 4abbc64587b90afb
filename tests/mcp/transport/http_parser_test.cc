#include "mcp/transport/http_parser.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

using State = HttpParser::State;

const std::string kPost = "POST /mcp?x=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello";

int StatusOf(std::string text) {
  HttpParser parser;
  return parser.Parse(text) == State::kError ? parser.status() : 0;
}

TEST(HttpParser, ReadsARequestAtEverySplit) {
  for (std::size_t split = 0; split <= kPost.size(); ++split) {
    HttpParser parser;
    std::string input = kPost.substr(0, split);
    parser.Parse(input);
    input += kPost.substr(split);
    ASSERT_EQ(parser.Parse(input), State::kRequest) << split;
    EXPECT_EQ(parser.request().method, "POST");
    EXPECT_EQ(parser.request().path, "/mcp");
    EXPECT_EQ(parser.request().body, "hello");
    EXPECT_TRUE(input.empty());
  }
}

TEST(HttpParser, ReadsChunksAtEverySplit) {
  const std::string text =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: t\r\n\r\nGET";
  for (std::size_t split = 0; split <= text.size() - 3; ++split) {
    HttpParser parser;
    std::string input = text.substr(0, split);
    parser.Parse(input);
    input += text.substr(split);
    ASSERT_EQ(parser.Parse(input), State::kRequest) << split;
    EXPECT_EQ(parser.request().body, "hello");
    EXPECT_EQ(input, "GET");
  }
}

TEST(HttpParser, LeavesThePipelinedRequestForTheNextTurn) {
  HttpParser parser;
  std::string input = kPost + kPost;
  ASSERT_EQ(parser.Parse(input), State::kRequest);
  EXPECT_EQ(input, kPost);
  parser.Next();
  ASSERT_EQ(parser.Parse(input), State::kRequest);
  EXPECT_EQ(parser.request().body, "hello");
}

TEST(HttpParser, RefusesWhatTwoParsersCouldReadDifferently) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\n";
  EXPECT_EQ(StatusOf(head + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"), 400);
  EXPECT_EQ(StatusOf(head + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf(head + "Transfer-Encoding: gzip, chunked\r\n\r\n"), 501);
  for (const char* length : {"abc", "-1", "+1", "1 2", "0x1", "99999999999999999999", ""}) {
    EXPECT_EQ(StatusOf(head + "Content-Length: " + length + "\r\n\r\n"), 400) << length;
  }
  EXPECT_EQ(StatusOf(head + "Host: y\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf("POST / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf(head + "Bad Header: x\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf(head + " folded\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf(head + "A: b\nC: d\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf("POST http://x/ HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf("POST / HTTP/2.0\r\nHost: x\r\n\r\n"), 505);
  EXPECT_EQ(StatusOf("hello\r\n\r\n"), 400);
  for (const char* chunk : {"zz\r\n", "-1\r\n", "3\r\nabcX\r\n", "ffffffffffffffff\r\n"}) {
    EXPECT_NE(StatusOf(head + "Transfer-Encoding: chunked\r\n\r\n" + chunk), 0) << chunk;
  }
}

TEST(HttpParser, BoundsHeadAndBody) {
  EXPECT_EQ(StatusOf("POST / HTTP/1.1\r\nHost: " + std::string(64 * 1024, 'a')), 431);
  std::string many = "POST / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 200; ++i) many += "A: b\r\n";
  EXPECT_EQ(StatusOf(many + "\r\n"), 431);
  EXPECT_EQ(StatusOf("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6000000\r\n\r\n"), 413);
  std::string chunks = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 6; ++i) chunks += "100000\r\n" + std::string(0x100000, 'x') + "\r\n";
  EXPECT_EQ(StatusOf(chunks), 413);
}

}  // namespace
}  // namespace helix::mcp
