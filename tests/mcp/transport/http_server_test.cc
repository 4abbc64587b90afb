#include "mcp/transport/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "tests/mcp/protocol/conversation.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kBoth = "Accept: application/json, text/event-stream\r\n";

std::string Post(const std::string& body, const std::string& headers = kBoth) {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
std::string Ping(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})";
}
std::string CallLine(int id, const std::string& name, const std::string& rest = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         name + "\"" + rest + "}}";
}

class Client {
 public:
  explicit Client(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Write(const std::string& text) { send(fd_, text.data(), text.size(), MSG_NOSIGNAL); }
  // What was taken; -1 when nothing was for half a second.
  ssize_t TryWrite(const std::string& text) {
    pollfd wait{fd_, POLLOUT, 0};
    return poll(&wait, 1, 500) > 0 ? send(fd_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
  }
  void HalfClose() { shutdown(fd_, SHUT_WR); }
  // Reads until `mark` has come, the peer closed, or nothing came for `patience_ms`.
  std::string Until(const std::string& mark, int patience_ms = 10000) {
    while (seen_.find(mark) == std::string::npos) {
      pollfd wait{fd_, POLLIN, 0};
      char bytes[65536];
      if (poll(&wait, 1, patience_ms) <= 0) break;
      const auto n = recv(fd_, bytes, sizeof bytes, 0);
      if (n <= 0) {
        closed_ = true;
        break;
      }
      seen_.append(bytes, static_cast<std::size_t>(n));
    }
    return std::exchange(seen_, {});
  }
  std::string Say(const std::string& text, const std::string& mark) {
    Write(text);
    return Until(mark);
  }
  bool WaitClosed() {
    Until("no such mark");
    return closed_;
  }

 private:
  const int fd_;
  std::string seen_;
  bool closed_ = false;
};

class HttpServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = HttpServer::Listen({"127.0.0.1", 0}, HttpPolicy{});
    ASSERT_TRUE(server) << server.error().Text();
    server_ = std::move(*server);
    port_ = server_->port();
    thread_ = std::thread([this] { server_->Run(dispatcher_, stop_.get_token()); });
  }
  void TearDown() override { Stop(); }
  void Stop() {
    stop_.request_stop();
    if (thread_.joinable()) thread_.join();
    server_.reset();
    workers_.WaitIdle(std::chrono::seconds(5));
  }

  WorkerPool workers_;
  Dispatcher dispatcher_{TestCatalog(),
                         [this](std::function<void()> task) { return workers_.Submit(std::move(task)); }};
  std::stop_source stop_;
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
  int port_ = 0;
};

TEST_F(HttpServerTest, AnswersInOrderOnOneConnection) {
  Client c(port_);
  EXPECT_THAT(c.Say(Post(Ping(1)), "}}"), StartsWith("HTTP/1.1 200 OK\r\nContent-Type: application/json"));
  const auto both = c.Say(Post(CallLine(2, "step")) + Post(Ping(3)), R"("id":3)");
  EXPECT_LT(both.find(R"("id":2)"), both.find(R"("id":3)"));
}

TEST_F(HttpServerTest, RunsNoRefusedBodyAsARequest) {
  Client c(port_);
  const std::string inner = Post(Ping(666));
  c.Write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\nContent-Type: "
      "application/json\r\nContent-Length: " +
      std::to_string(inner.size()) + "\r\n\r\n");
  EXPECT_THAT(c.Until("}"), StartsWith("HTTP/1.1 403"));
  c.Write(inner);
  EXPECT_THAT(c.Until("no such mark"), Not(HasSubstr("666")));
}

TEST_F(HttpServerTest, EndsAConnectionThatAskedForAHead) {
  Client c(port_);
  c.Write("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n" + Post(Ping(1)));
  const auto said = c.Until("no such mark");
  EXPECT_THAT(said, StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(said, HasSubstr("Connection: close"));
  EXPECT_THAT(said, Not(HasSubstr("200 OK")));
}

TEST_F(HttpServerTest, TakesChunksAndSaysContinue) {
  Client c(port_);
  const auto body = Ping(1);
  const std::string head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  char size[8];
  std::snprintf(size, sizeof size, "%zx", body.size());
  EXPECT_THAT(
      c.Say(head + "Transfer-Encoding: chunked\r\n\r\n" + size + "\r\n" + body + "\r\n0\r\n\r\n", "}}"),
      HasSubstr(R"("id":1)"));
  c.Write(head + "Expect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_EQ(c.Until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(c.Say(body, "}}"), HasSubstr(R"("id":1)"));
}

TEST_F(HttpServerTest, StreamsProgressWhereItIsAccepted) {
  const auto call = CallLine(1, "step", R"(,"_meta":{"progressToken":"t"})");
  Client c(port_);
  const auto stream = c.Say(Post(call), "0\r\n\r\n");
  EXPECT_THAT(stream, HasSubstr("Content-Type: text/event-stream"));
  EXPECT_LT(stream.find("notifications/progress"), stream.find(R"("id":1,"result")"));
  EXPECT_THAT(c.Say(Post(Ping(2)), "}}"), HasSubstr(R"("id":2)")) << "the connection stays usable";
  Client json(port_);
  const auto plain = json.Say(Post(call, "Accept: application/json\r\n"), "}}");
  EXPECT_THAT(plain, HasSubstr("Content-Type: application/json"));
  EXPECT_THAT(plain, Not(HasSubstr("notifications/progress")));
}

TEST_F(HttpServerTest, AnswersNotificationsWithAcceptedAndABodyForClientsThatNeedOne) {
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  Client c(port_);
  EXPECT_THAT(c.Say(Post(note), "\r\n\r\n"), HasSubstr("202 Accepted\r\nContent-Length: 0"));
  EXPECT_THAT(c.Say(Post(note, ""), "{}"), HasSubstr("202 Accepted\r\nContent-Type: application/json"));
}

TEST_F(HttpServerTest, CancelsAModernCallWhoseClientLeft) {
  const auto meta =
      R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
  {
    Client c(port_);
    c.Write(Post(CallLine(1, "wait", meta),
                 kBoth + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wait\r\n"));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(workers_.WaitIdle(std::chrono::seconds(5)));
}

TEST_F(HttpServerTest, CancelsALegacyCallByNotification) {
  Client c(port_);
  c.Write(Post(CallLine(41, "wait")));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  Client other(port_);
  other.Say(Post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":41}})"),
            "\r\n\r\n");
  EXPECT_TRUE(workers_.WaitIdle(std::chrono::seconds(5)));
}

TEST_F(HttpServerTest, AnswersPingsBesideManyCallsAndOpenStreams) {
  const auto listen =
      R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  std::vector<std::unique_ptr<Client>> streams;
  for (int i = 0; i < 200; ++i) {
    streams.push_back(std::make_unique<Client>(port_));
    streams.back()->Write(
        Post(listen, kBoth + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"));
  }
  for (auto& stream : streams) ASSERT_THAT(stream->Until("acknowledged"), HasSubstr("acknowledged"));
  std::vector<std::unique_ptr<Client>> callers;
  for (int i = 0; i < 64; ++i) {
    callers.push_back(std::make_unique<Client>(port_));
    callers.back()->Write(Post(CallLine(i, "wait")));
  }
  Client c(port_);
  const auto start = SteadyNowNs();
  EXPECT_THAT(c.Say(Post(Ping(7)), "}}"), HasSubstr(R"("id":7)"));
  EXPECT_LT(SteadyNowNs() - start, 1'000'000'000);
  Stop();
  for (auto& stream : streams)
    EXPECT_THAT(stream->Until("0\r\n\r\n"), HasSubstr(R"("resultType":"complete")"));
}

TEST_F(HttpServerTest, SurvivesAClientThatDoesNotReadItsAnswer) {
  {
    Client c(port_);
    c.Write(Post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  }
  {
    Client c(port_);
    c.Write("POST /mcp HT");
  }
  Client next(port_);
  EXPECT_THAT(next.Say(Post(Ping(1)), "}}"), HasSubstr("200 OK"));
}

TEST_F(HttpServerTest, StopsReadingAClientThatDoesNotReadItsAnswersAndServesTheOthers) {
  Client flood(port_);
  const auto list = Post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  std::size_t sent = 0;
  while (sent < (std::size_t{64} << 20)) {
    const auto n = flood.TryWrite(list.substr(sent % list.size()));
    if (n < 0) break;
    sent += static_cast<std::size_t>(n);
  }
  EXPECT_LT(sent, std::size_t{32} << 20) << "a connection's own buffers, not more";
  Client other(port_);
  EXPECT_THAT(other.Say(Post(Ping(1)), "}}"), HasSubstr("200 OK"));
  EXPECT_THAT(flood.Until(R"("tools":[)"), HasSubstr("200 OK")) << "and it is answered once it reads";
}

TEST_F(HttpServerTest, DoesNotLetPipelinedRequestsHoldUpOthers) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += Post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  std::vector<std::unique_ptr<Client>> floods;
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    floods.push_back(std::make_unique<Client>(port_));
    writers.emplace_back([&many, flood = floods.back().get()] {
      flood->Write(many);
      flood->HalfClose();
      flood->WaitClosed();
    });
  }
  Client c(port_);
  for (int i = 0; i < 20; ++i) {
    const auto start = SteadyNowNs();
    EXPECT_THAT(c.Say(Post(Ping(i)), "}}"), HasSubstr("200 OK"));
    EXPECT_LT(SteadyNowNs() - start, 500'000'000) << "8,000 other requests are not all served first";
  }
  for (auto& writer : writers) writer.join();
}

TEST_F(HttpServerTest, AnswersAClientThatHasSaidAll) {
  Client c(port_);
  c.Write(Post(CallLine(1, "step")));
  c.HalfClose();
  EXPECT_THAT(c.Until(R"("id":1,"result")"), HasSubstr(R"("id":1,"result")"));
  EXPECT_TRUE(c.WaitClosed());
}

TEST_F(HttpServerTest, StopsAtOnceWithIdleClients) {
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 50; ++i) idle.push_back(std::make_unique<Client>(port_));
  EXPECT_THAT(idle[0]->Say(Post(Ping(1)), "}}"), HasSubstr("200 OK"));
  const auto start = SteadyNowNs();
  Stop();
  EXPECT_LT(SteadyNowNs() - start, 300'000'000);
}

TEST(HttpBinding, IsReadAndGuarded) {
  EXPECT_EQ(ParseBinding("localhost:80")->host, "127.0.0.1");
  EXPECT_EQ(ParseBinding("[::1]:0")->host, "::1");
  for (const char* text : {"", "8080", ":80", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"}) {
    EXPECT_FALSE(ParseBinding(text)) << text;
  }
  auto open = HttpServer::Listen({"0.0.0.0", 0}, HttpPolicy{});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ErrorCode::kRefused);
  auto first = HttpServer::Listen({"127.0.0.1", 0}, HttpPolicy{});
  ASSERT_TRUE(first);
  EXPECT_FALSE(HttpServer::Listen({"127.0.0.1", (*first)->port()}, HttpPolicy{}))
      << "two servers must not share a port";
}

}  // namespace
}  // namespace helix::mcp
