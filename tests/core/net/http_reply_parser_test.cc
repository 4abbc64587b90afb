#include "core/net/http_reply_parser.h"

#include <gtest/gtest.h>

namespace helix::net {
namespace {

struct Outcome {
  std::string body;
  Status end;
  bool complete = false;
  bool keep_alive = false;
  std::size_t taken = 0;
  int status = 0;
};

Outcome Parse(const std::vector<std::string_view>& pieces, ReplyLimits limits = {}, bool head = false) {
  Outcome out;
  HttpReplyParser parser(limits, head);
  for (std::string_view piece : pieces) {
    auto taken = parser.Feed(piece, [&](std::string_view bytes) {
      out.body += bytes;
      return true;
    });
    if (!taken) {
      out.end = tl::make_unexpected(taken.error());
      return out;
    }
    out.taken += *taken;
  }
  out.complete = parser.complete();
  out.end = parser.Finish();
  out.status = parser.status();
  out.keep_alive = parser.complete() && parser.keep_alive();
  return out;
}

const std::string kChunked =
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\nKeep-Alive: timeout=5, "
    "max=100\r\n\r\n"
    "5;ext=1\r\nhello\r\n1\r\n0\r\n7\r\n\r\n0\r\n\r\n\r\n0\r\nTrailer: x\r\n\r\n";
const std::string kChunkedBody = "hello0\r\n0\r\n\r\n";

TEST(HttpReplyParser, ReadsAChunkedReplyWhateverTheSplit) {
  const std::string_view text = kChunked;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    auto out = Parse({text.substr(0, i), text.substr(i)});
    ASSERT_TRUE(out.end) << i << " " << out.end.error().message;
    EXPECT_EQ(out.body, kChunkedBody) << i;
    EXPECT_EQ(out.status, 200);
    EXPECT_TRUE(out.keep_alive);
  }
}

TEST(HttpReplyParser, EveryCutOfAFramedReplyIsAnError) {
  for (const std::string& text :
       {kChunked, std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")}) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto out = Parse({std::string_view(text).substr(0, i)});
      ASSERT_FALSE(out.end) << "cut at " << i;
      EXPECT_EQ(out.end.error().code, ErrorCode::kProtocol);
    }
  }
}

TEST(HttpReplyParser, StopsAtTheEndOfTheReply) {
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  auto out = Parse({text + "HTTP/1.1 500 X\r\n"});
  EXPECT_TRUE(out.complete);
  EXPECT_EQ(out.body, "ok");
  EXPECT_EQ(out.taken, text.size());
}

TEST(HttpReplyParser, ABodyWithoutLengthEndsWithTheConnection) {
  auto out = Parse({"HTTP/1.0 200 OK\r\n\r\npart", "s"});
  EXPECT_FALSE(out.complete) << "before the end of the connection";
  EXPECT_TRUE(out.end);
  EXPECT_EQ(out.body, "parts");
  EXPECT_FALSE(out.keep_alive);
}

TEST(HttpReplyParser, RepliesWithoutABodyAreCompleteAtOnce) {
  EXPECT_TRUE(Parse({"HTTP/1.1 204 No Content\r\n\r\n"}).complete);
  EXPECT_TRUE(Parse({"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"}).complete);
  EXPECT_TRUE(Parse({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"}, {}, true).complete);
  EXPECT_TRUE(Parse({"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}).complete);
}

TEST(HttpReplyParser, KnowsWhetherTheConnectionStaysOpen) {
  EXPECT_TRUE(Parse({"HTTP/1.1 204 N\r\n\r\n"}).keep_alive);
  EXPECT_FALSE(Parse({"HTTP/1.1 204 N\r\nConnection: x, Close\r\n\r\n"}).keep_alive);
  EXPECT_FALSE(Parse({"HTTP/1.0 204 N\r\n\r\n"}).keep_alive);
  EXPECT_TRUE(Parse({"HTTP/1.0 204 N\r\nConnection: keep-alive\r\n\r\n"}).keep_alive);
}

TEST(HttpReplyParser, RefusesWhatItDidNotAskFor) {
  for (const char* header : {"Content-Encoding: gzip", "Content-Encoding: identity, br",
                             "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity"}) {
    auto out = Parse({"HTTP/1.1 200 OK\r\n" + std::string(header) + "\r\n\r\n"});
    ASSERT_FALSE(out.end) << header;
    EXPECT_EQ(out.end.error().code, ErrorCode::kProtocol);
  }
  EXPECT_TRUE(Parse({"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 0\r\n\r\n"}).end);
}

TEST(HttpReplyParser, RefusesAmbiguousOrBrokenReplies) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  for (const std::string& text :
       std::vector<std::string>{"SSH-2.0-OpenSSH_9.2\r\n",
                                "HTTP/2 200\r\n\r\n",
                                "HTTP/1.1 2x0 OK\r\n\r\n",
                                "HTTP/1.1 20\r\n\r\n",
                                "HTTP/1.1 2000 OK\r\n\r\n",
                                "HTTP/1.1 101 Switching\r\n\r\n",
                                "\r\n",
                                "{\"status\":\"ok\"}\n",
                                ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
                                ok + "Content-Length: abc\r\n\r\n",
                                ok + "Content-Length: -1\r\n\r\n",
                                ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                                ok + "no colon here\r\n\r\n",
                                ok + "bad name: x\r\n\r\n",
                                ok + " folded: x\r\n\r\n",
                                ok + "a: b\rc\r\n\r\n",
                                ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
                                ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
                                ok + "Transfer-Encoding: chunked\r\n\r\n\r\n",
                                ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n"}) {
    auto out = Parse({text});
    ASSERT_FALSE(out.end) << text;
    EXPECT_EQ(out.end.error().code, ErrorCode::kProtocol) << text;
  }
}

TEST(HttpReplyParser, BoundsHeadersBodyAndChunkExtensions) {
  const ReplyLimits small{10, 200};
  EXPECT_FALSE(Parse({"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n"}, small).end);
  EXPECT_FALSE(Parse({"HTTP/1.1 200 OK\r\n\r\n" + std::string(11, 'x')}, small).end);
  EXPECT_FALSE(Parse({"HTTP/1.1 200 OK\r\na: " + std::string(300, 'x')}, small).end);
  EXPECT_FALSE(
      Parse({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(300, 'x')}, small).end);
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 50; ++i) many += "a: bcd\r\n";
  EXPECT_FALSE(Parse({many}, small).end);
  EXPECT_TRUE(Parse({"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + std::string(10, 'x')}, small).end);
}

TEST(HttpReplyParser, NeverEchoesControlCharacters) {
  auto out = Parse({"\x1B[2Jevil\r\n"});
  ASSERT_FALSE(out.end);
  EXPECT_EQ(out.end.error().message.find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace helix::net
