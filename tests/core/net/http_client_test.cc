#include "core/net/http_client.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/base/clock.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::net {
namespace {

using fakes::FakeConnection;
using fakes::FakeHttpServer;
using fakes::ReceivedRequest;
using std::chrono::milliseconds;

HttpRequest Get(const std::string& path = "/") {
  HttpRequest request;
  request.path = path;
  return request;
}

HttpRequest Post(const std::string& body) {
  HttpRequest request;
  request.method = "POST";
  request.body = body;
  return request;
}

FakeHttpServer::Handler Raw(std::string bytes) {
  return [bytes](const ReceivedRequest&, FakeConnection& c) {
    c.Write(bytes);
    c.Close();
  };
}

double MsSince(std::int64_t start) {
  return static_cast<double>(SteadyNowNs() - start) / 1e6;
}

TEST(HttpClient, SendsThePostAndReadsTheReply) {
  FakeHttpServer server([](const ReceivedRequest& r, FakeConnection& c) { c.Reply(418, "got " + r.body); });
  HttpClient client(server.base_url());
  const std::string body(300'000, 'x');
  auto reply = client.Send(Post(body), {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 418);
  EXPECT_EQ(reply->body, "got " + body);
  EXPECT_EQ(reply->headers.find("content-type")->second, "application/json");
  EXPECT_LE(reply->t_send_ns, reply->t_headers_ns);
  EXPECT_LE(reply->t_headers_ns, reply->t_end_ns);
  const ReceivedRequest seen = server.requests().at(0);
  EXPECT_EQ(seen.header("accept-encoding"), "identity");
  EXPECT_EQ(seen.header("host"), "127.0.0.1:" + std::to_string(server.port()));
}

TEST(HttpClient, KeepsTheConnectionAndSaysSo) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) { c.Reply(200, "ok"); });
  HttpClient client(server.base_url());
  EXPECT_FALSE(client.Send(Get(), {})->connection_reused);
  EXPECT_TRUE(client.Send(Get(), {})->connection_reused);
  client.Close();
  ASSERT_TRUE(client.Connect({}));
  EXPECT_TRUE(client.Send(Get(), {})->connection_reused) << "opened before the request";
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, GivesEachChunkWithItsOwnTime) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.BeginChunked(200, "text/event-stream");
    for (int i = 0; i < 3; ++i) {
      c.Sleep(milliseconds(40));
      c.Chunk("data: " + std::to_string(i) + "\n\n");
    }
    c.EndChunked();
  });
  HttpClient client(server.base_url());
  std::vector<std::int64_t> times;
  std::string text;
  auto reply = client.Send(Get(), {}, [&](std::string_view bytes, std::int64_t t_ns) {
    times.push_back(t_ns);
    text += bytes;
    return true;
  });
  ASSERT_TRUE(reply);
  EXPECT_EQ(text, "data: 0\n\ndata: 1\n\ndata: 2\n\n");
  EXPECT_TRUE(reply->body.empty());
  ASSERT_EQ(times.size(), 3U);
  EXPECT_LT(reply->t_headers_ns, times[0]);
  EXPECT_GT(times[1] - times[0], 20'000'000);
  EXPECT_GT(times[2] - times[1], 20'000'000);
}

TEST(HttpClient, CancellingEndsASilentStreamWithin50Ms) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.BeginChunked(200, "text/event-stream");
    c.Hang();
  });
  HttpClient client(server.base_url());
  std::stop_source source;
  std::atomic<std::int64_t> asked{0};
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(60));
    asked = SteadyNowNs();
    source.request_stop();
  });
  auto reply = client.Send(Get(), {source.get_token(), {}});
  const double waited = MsSince(asked);
  canceller.join();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
  EXPECT_LT(waited, 200) << "the wait is cut into 25 ms; the rest is a busy machine";
}

TEST(HttpClient, TheSinkCanStopTheReply) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.BeginChunked(200, "text/plain");
    c.Chunk("x");
    c.Hang();
  });
  HttpClient client(server.base_url());
  auto reply = client.Send(Get(), {}, [](std::string_view, std::int64_t) { return false; });
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
}

TEST(HttpClient, ASilentServerIsATimeout) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) { c.Hang(); });
  HttpClient client(server.base_url());
  HttpRequest request = Get();
  request.stall_timeout = Millis{60};
  auto reply = client.Send(request, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kTimeout);
  EXPECT_NE(reply.error().message.find("silent for 60 ms"), std::string::npos);
}

TEST(HttpClient, ADrippingServerMeetsTheTotalTimeout) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.BeginChunked(200, "text/plain");
    while (c.Chunk("x") && c.Sleep(milliseconds(10))) {
    }
  });
  HttpClient client(server.base_url());
  HttpRequest request = Get();
  request.total_timeout = Millis{150};
  auto reply = client.Send(request, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kTimeout);
  EXPECT_NE(reply.error().message.find("total time"), std::string::npos);
}

TEST(HttpClient, ACutReplyIsAnError) {
  FakeHttpServer server;
  server.On("GET", "/length", Raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
  server.On("GET", "/chunked", Raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"));
  server.On("GET", "/headers", Raw("HTTP/1.1 200 OK\r\nContent-"));
  server.On("GET", "/compressed",
            Raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"));
  server.On("GET", "/not_http", Raw("220 mail.example ESMTP\r\n"));
  HttpClient client(server.base_url());
  for (const char* path : {"/length", "/chunked", "/headers", "/compressed", "/not_http"}) {
    auto reply = client.Send(Get(path), {});
    ASSERT_FALSE(reply) << path;
    EXPECT_EQ(reply.error().code, ErrorCode::kProtocol) << path << " " << reply.error().message;
  }
}

TEST(HttpClient, AResetInTheBodyIsAnErrorEvenWithoutALength) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.Write("HTTP/1.1 200 OK\r\n\r\nhalf");
    c.Sleep(milliseconds(30));
    c.Reset();
  });
  HttpClient client(server.base_url());
  auto reply = client.Send(Get(), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
}

TEST(HttpClient, ABodyThatEndsWithTheConnectionIsMarked) {
  FakeHttpServer server(Raw("HTTP/1.1 200 OK\r\n\r\nall"));
  HttpClient client(server.base_url());
  auto reply = client.Send(Get(), {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "all");
  EXPECT_TRUE(reply->ended_by_close);
}

TEST(HttpClient, BoundsTheBodyAndEndsTheConnection) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.BeginChunked(200, "text/plain");
    while (c.Chunk(std::string(1000, 'x'))) {
    }
    c.Close();
  });
  HttpClient client(server.base_url());
  HttpRequest request = Get();
  request.max_bytes = 100'000;
  std::size_t seen = 0;
  auto reply = client.Send(request, {}, [&](std::string_view bytes, std::int64_t) {
    seen += bytes.size();
    return true;
  });
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kProtocol);
  EXPECT_LE(seen, 100'000U);
}

TEST(HttpClient, NeverFollowsARedirect) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.Reply(302, "", "text/plain", "Location: /elsewhere\r\n");
  });
  HttpClient client(server.base_url());
  EXPECT_EQ(client.Send(Get(), {})->status, 302);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpClient, ReopensAConnectionThatTheServerClosedWhileIdle) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.Reply(200, "ok");
    c.Close();  // without saying so
  });
  HttpClient client(server.base_url());
  ASSERT_TRUE(client.Send(Post("1"), {}));
  std::this_thread::sleep_for(milliseconds(30));
  auto second = client.Send(Post("2"), {});
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_FALSE(second->connection_reused);
}

// Answers the first request of a connection and closes without a byte on the second.
void DropSecond(const ReceivedRequest& r, FakeConnection& c) {
  if (r.target == "/drop" && r.connection == 0) return c.Close();
  c.Reply(200, "ok");
}

TEST(HttpClient, ResendsOnlyWhatIsSafeToResend) {
  for (const auto& [method, safe, sent] :
       {std::tuple{"GET", false, 2U}, {"POST", false, 1U}, {"POST", true, 2U}}) {
    FakeHttpServer server(DropSecond);
    HttpClient client(server.base_url());
    ASSERT_TRUE(client.Send(Get(), {}));
    HttpRequest request = Get("/drop");
    request.method = method;
    request.safe_to_resend = safe;
    auto reply = client.Send(request, {});
    EXPECT_EQ(reply.has_value(), sent == 2U);
    if (!reply) {
      EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
    }
    EXPECT_EQ(server.requests().size(), 1 + sent) << method << safe;
  }
}

TEST(HttpClient, NeverResendsOnceAByteOfTheReplyCame) {
  FakeHttpServer server([](const ReceivedRequest& r, FakeConnection& c) {
    if (r.target != "/cut") return void(c.Reply(200, "ok"));
    c.Write("HTTP/1.1 200 OK\r\n");
    c.Close();
  });
  HttpClient client(server.base_url());
  ASSERT_TRUE(client.Send(Get(), {}));
  EXPECT_FALSE(client.Send(Get("/cut"), {}));
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(HttpClient, ReadsTheRefusalOfALongBody) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) { c.Reply(413, "too long"); });
  HttpClient client(server.base_url());
  EXPECT_EQ(client.Send(Post(std::string(2'000'000, 'x')), {})->status, 413);
}

TEST(HttpClient, NobodyListeningIsUnavailableAndNamesTheEndpoint) {
  std::string url;
  {
    FakeHttpServer gone;
    url = gone.base_url();
  }
  HttpClient client(url);
  auto reply = client.Send(Get(), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(reply.error().message.find(url), std::string::npos);
}

TEST(HttpClient, AMalformedUrlIsReportedByTheFirstCall) {
  HttpClient client("http://localhost@evil.com");
  EXPECT_EQ(client.Connect({}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(client.Send(Get(), {}).error().code, ErrorCode::kInvalidArgument);
}

TEST(HttpClient, ANameIsResolvedOnceSoThatItCannotBeRebound) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) {
    c.Reply(200, "ok");
    c.Close();
  });
  auto asked = std::make_shared<int>(0);
  HttpClientOptions options;
  options.resolver = [asked](const std::string&) -> Result<std::vector<IpAddress>> {
    return std::vector<IpAddress>{*ParseIpAddress(++*asked == 1 ? "127.0.0.1" : "169.254.169.254")};
  };
  HttpClient client("http://name.example:" + std::to_string(server.port()), options);
  EXPECT_TRUE(client.Send(Get(), {}));
  client.Close();
  EXPECT_TRUE(client.Send(Get(), {}));
  EXPECT_EQ(*asked, 1);
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, LocalhostFallsBackFromOneLoopbackToTheOther) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& c) { c.Reply(200, "ok"); });
  HttpClient client("http://localhost:" + std::to_string(server.port()));
  EXPECT_TRUE(client.Send(Get(), {}));
  EXPECT_EQ(server.requests().at(0).header("host"), "localhost:" + std::to_string(server.port()));
}

}  // namespace
}  // namespace helix::net
