#include "core/net/peer_listener.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "core/base/clock.h"
#include "core/net/http_client.h"

namespace helix::net {
namespace {

// A listening socket on a free port of 127.0.0.1.
class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_, 4), 0);
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    address_ = address;
  }
  ~Listener() { Close(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int Accept() const { return ::accept(fd_, nullptr, nullptr); }
  [[nodiscard]] int Connect() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address_), sizeof address_), 0);
    return fd;
  }
  [[nodiscard]] std::string Url() const {
    return "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port));
  }

 private:
  int fd_;
  sockaddr_in address_{};
};

TEST(PeerListener, RefusesOnlyAfterItWasClosed) {
  Listener listener;
  const int client = listener.Connect();
  const int server = listener.Accept();
  EXPECT_FALSE(ListenerRefuses(client));
  listener.Close();
  EXPECT_TRUE(ListenerRefuses(client));
  ::close(client);
  ::close(server);
}

TEST(PeerListener, CannotBeToldOfWhatIsNoConnectionToThisMachine) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  EXPECT_FALSE(ListenerRefuses(ends[0]));
  EXPECT_FALSE(ListenerRefuses(-1));
  ::close(ends[0]);
  ::close(ends[1]);
}

// llama-server after one SIGTERM: the port is closed, an open stream is kept for half a minute.
TEST(HttpClient, GivesUpASilentServerThatHasClosedItsPort) {
  Listener listener;
  std::thread server([&listener] {
    const int connection = listener.Accept();
    listener.Close();
    char byte = 0;
    while (::read(connection, &byte, 1) > 0) {  // until the client gives up
    }
    ::close(connection);
  });
  HttpRequest request;
  request.method = "POST";
  request.path = "/completion";
  const std::int64_t start = SteadyNowNs();
  HttpClient client(listener.Url());
  const auto response = client.Send(request, {});
  client.Close();
  server.join();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(response.error().message.find("closed its port"), std::string::npos) << response.error().message;
  EXPECT_LT(SteadyNowNs() - start, std::int64_t{30} * 1'000'000'000) << "its stall limit is a minute";
}

}  // namespace
}  // namespace helix::net
