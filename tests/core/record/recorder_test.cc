#include "core/record/recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/net/http_client.h"
#include "core/net/socket_stream.h"
#include "tests/fakes/fake_http_server.h"
#include "tests/support/paths.h"

namespace helix::record {
namespace {

using fakes::FakeConnection;
using fakes::FakeHttpServer;
using fakes::ReceivedRequest;

class RecorderTest : public ::testing::Test {
 protected:
  // Starts a recorder in front of `upstream`.
  void Start(const std::string& upstream, double stall_s = 5) {
    capture_ = testing_support::ScratchDir() + "/capture.jsonl";
    auto started = Recorder::Start({upstream, "127.0.0.1:0", capture_, stall_s});
    ASSERT_TRUE(started) << started.error().Text();
    recorder_ = std::move(*started);
  }
  Result<net::HttpResponse> Post(const std::string& body,
                                 std::multimap<std::string, std::string> headers = {}) {
    net::HttpClient client("http://127.0.0.1:" + std::to_string(recorder_->port()));
    net::HttpRequest request;
    request.method = "POST";
    request.path = "/v1/messages?beta=true";
    request.headers = std::move(headers);
    request.body = body;
    request.stall_timeout = Millis{5000};
    return client.Send(request, {});
  }
  Json Line(std::size_t index) {
    recorder_->Stop();
    auto text = ReadFile(capture_);
    if (!text) return Json();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < index; ++i) begin = text->find('\n', begin) + 1;
    auto line = ParseJson(text->substr(begin, text->find('\n', begin) - begin));
    return line ? *line : Json();
  }
  std::string capture_;
  std::unique_ptr<Recorder> recorder_;
};

TEST_F(RecorderTest, HandsBothBodiesOnByteForByteAndKeepsThem) {
  const std::string sent = "{\"b\": 1,\n  \"a\": \"\\u00e9\"}";
  const std::string answer = "{\"z\":1, \"usage\" : {}}";
  FakeHttpServer upstream(
      [&](const ReceivedRequest&, FakeConnection& connection) { connection.Reply(200, answer); });
  Start(upstream.base_url());
  const auto reply = Post(sent);
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->body, answer);
  ASSERT_EQ(upstream.requests().size(), 1u);
  EXPECT_EQ(upstream.requests()[0].body, sent);
  EXPECT_EQ(upstream.requests()[0].target, "/v1/messages?beta=true");
  const Json line = Line(0);
  EXPECT_EQ(StringAt(line, "capture"), "helix.capture/1");
  EXPECT_EQ(IntAt(line, "request/body/b"), 1);
  EXPECT_EQ(IntAt(line, "response/body/z"), 1);
  EXPECT_EQ(BoolAt(line, "complete"), true);
}

TEST_F(RecorderTest, StreamsAtOnceAndKeepsTheStreamWithoutItsFraming) {
  FakeHttpServer upstream([](const ReceivedRequest&, FakeConnection& connection) {
    connection.BeginChunked(200, "text/event-stream");
    connection.Chunk("data: one\n\n");
    connection.Sleep(std::chrono::milliseconds(300));
    connection.Chunk("data: two\n\n");
    connection.EndChunked();
    connection.Close();
  });
  Start(upstream.base_url());
  net::HttpClient client("http://127.0.0.1:" + std::to_string(recorder_->port()));
  std::vector<std::int64_t> times;
  net::HttpRequest request;
  request.path = "/stream";
  ASSERT_TRUE(client.Send(request, {}, [&](std::string_view, std::int64_t t) {
    times.push_back(t);
    return true;
  }));
  ASSERT_GE(times.size(), 2u);
  EXPECT_GT(times.back() - times.front(), 200'000'000);
  EXPECT_EQ(StringAt(Line(0), "response/body_text"), "data: one\n\ndata: two\n\n");
}

TEST_F(RecorderTest, NeverWritesAKey) {
  FakeHttpServer upstream([](const ReceivedRequest& request, FakeConnection& connection) {
    connection.Reply(401, "{\"error\":\"bad key " + request.header("x-api-key") + "\"}");
  });
  Start(upstream.base_url());
  ASSERT_TRUE(Post("{\"note\":\"my key is CANARY-key-998877\"}",
                   {{"x-api-key", "CANARY-key-998877"}, {"authorization", "Bearer CANARY-token-1"}}));
  EXPECT_EQ(upstream.requests()[0].header("x-api-key"), "CANARY-key-998877");
  recorder_->Stop();
  const auto text = ReadFile(capture_);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("CANARY"), std::string::npos) << *text;
  EXPECT_NE(text->find("[redacted]"), std::string::npos);
}

TEST_F(RecorderTest, SaysWhyWhenTheUpstreamIsDead) {
  int port = 0;
  { port = FakeHttpServer().port(); }
  Start("http://127.0.0.1:" + std::to_string(port));
  const auto reply = Post("{}");
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->status, 502);
  EXPECT_FALSE(StringAt(Line(0), "error").value_or("").empty());
}

TEST_F(RecorderTest, GivesUpOnAnUpstreamThatHangs) {
  FakeHttpServer upstream([](const ReceivedRequest&, FakeConnection& connection) { connection.Hang(); });
  Start(upstream.base_url(), 0.3);
  const auto reply = Post("{}");
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->status, 504);
  EXPECT_EQ(BoolAt(Line(0), "complete"), false);
}

TEST_F(RecorderTest, HandsGarbageOnAndMarksATruncatedReply) {
  FakeHttpServer upstream([](const ReceivedRequest& request, FakeConnection& connection) {
    connection.Write(request.body == "{}" ? std::string("\x01\x02 not http")
                                          : "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort");
    connection.Close();
  });
  Start(upstream.base_url());
  EXPECT_FALSE(Post("{}"));
  EXPECT_FALSE(Post("{\"x\":1}"));
  EXPECT_EQ(BoolAt(Line(1), "complete"), false);
}

std::string RandomBytes(std::uint64_t seed, std::size_t size) {
  SplitMix64 random(seed);
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(random.Below(256));
  return bytes;
}

TEST_F(RecorderTest, ChangesNoByteOfThirtyTwoStreamsAtOnce) {
  FakeHttpServer upstream([](const ReceivedRequest& request, FakeConnection& connection) {
    connection.BeginChunked(200, "application/octet-stream");
    for (std::size_t at = 0; at < request.body.size(); at += 1000)
      connection.Chunk(request.body.substr(at, 1000));
    connection.EndChunked();
    connection.Close();
  });
  Start(upstream.base_url());
  std::vector<std::thread> clients;
  std::atomic<int> equal{0};
  for (std::uint64_t i = 0; i < 32; ++i)
    clients.emplace_back([&, i] {
      const std::string sent = RandomBytes(i, 50'000 + 777 * i);
      const auto reply = Post(sent);
      if (reply && reply->body == sent) ++equal;
    });
  for (auto& client : clients) client.join();
  EXPECT_EQ(equal, 32);
  recorder_->Stop();
  EXPECT_EQ(recorder_->recorded(), 32U);
}

TEST_F(RecorderTest, SurvivesAnUpstreamThatDiesInMidStreamAndAClientThatLeaves) {
  FakeHttpServer upstream([](const ReceivedRequest& request, FakeConnection& connection) {
    if (request.body == "whole") return void(connection.Reply(200, "{}"));
    connection.BeginChunked(200, "text/event-stream");
    connection.Chunk("data: one\n\n");
    if (request.body == "die") return connection.Reset();
    while (connection.Chunk("data: more\n\n") && connection.Sleep(std::chrono::milliseconds(10))) {
    }
  });
  Start(upstream.base_url());
  EXPECT_FALSE(Post("die")) << "a cut stream is no reply";
  net::HttpClient leaving("http://127.0.0.1:" + std::to_string(recorder_->port()));
  net::HttpRequest request;
  request.method = "POST";
  request.body = "endless";
  EXPECT_FALSE(leaving.Send(request, {}, [](std::string_view, std::int64_t) { return false; }));
  const auto after = Post("whole");
  ASSERT_TRUE(after) << after.error().Text();
  EXPECT_EQ(after->body, "{}");
  recorder_->Stop();
  EXPECT_EQ(recorder_->recorded(), 3U);
  const auto text = ReadFile(capture_);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("data: one"), std::string::npos) << "what came is kept";
  EXPECT_NE(text->find("\"complete\":false"), std::string::npos);
}

TEST_F(RecorderTest, LeavesACompressedBodyOutSinceNoKeyCanBeFoundInIt) {
  FakeHttpServer upstream(
      [](const ReceivedRequest&, FakeConnection& connection) { connection.Reply(200, "{}"); });
  Start(upstream.base_url());
  ASSERT_TRUE(Post("\x1f\x8b canary", {{"content-encoding", "gzip"}}));
  EXPECT_EQ(upstream.requests()[0].body, "\x1f\x8b canary");
  const Json line = Line(0);
  EXPECT_EQ(StringAt(line, "request/body_left_out"), "content-encoding gzip");
  EXPECT_EQ(line.dump().find("canary"), std::string::npos);
}

TEST_F(RecorderTest, RefusesRequestsThatTwoReadersCouldReadDifferently) {
  FakeHttpServer upstream(
      [](const ReceivedRequest&, FakeConnection& connection) { connection.Reply(200, "{}"); });
  Start(upstream.base_url());
  const net::IoLimits limits{{}, 5'000'000'000, std::numeric_limits<std::int64_t>::max()};
  for (const char* headers :
       {"Content-Length: 2\r\nContent-Length: 3\r\n", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n"}) {
    auto stream = net::ConnectSocket(*net::ParseIpAddress("127.0.0.1"), recorder_->port(), limits);
    ASSERT_TRUE(stream);
    ASSERT_TRUE((*stream)->Write(std::string("POST / HTTP/1.1\r\nHost: x\r\n") + headers + "\r\n{}", limits));
    char piece[64] = {};
    const auto got = (*stream)->Read(piece, sizeof piece - 1, limits);
    ASSERT_TRUE(got);
    EXPECT_EQ(std::string(piece, 12), "HTTP/1.1 400") << headers;
  }
  EXPECT_TRUE(upstream.requests().empty());
}

TEST_F(RecorderTest, ListensOnLoopbackOnly) {
  EXPECT_FALSE(Recorder::Start({"http://127.0.0.1:9", "0.0.0.0:0", testing_support::ScratchDir() + "/c", 1}));
  EXPECT_FALSE(
      Recorder::Start({"http://127.0.0.1:9", "192.168.1.1:8080", testing_support::ScratchDir() + "/c", 1}));
}

}  // namespace
}  // namespace helix::record
