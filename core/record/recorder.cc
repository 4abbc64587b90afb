#include "core/record/recorder.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include "core/base/clock.h"
#include "core/net/socket_stream.h"
#include "core/record/relay.h"

namespace helix::record {
namespace {

// A client that opened a connection has this long to send its request.
constexpr std::int64_t kRequestStallNs = 30'000'000'000;

Result<int> Listen(const net::Endpoint& at) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(at.port));
  const std::string host = at.host == "localhost" ? "127.0.0.1" : at.host;
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
    return Fail(ErrorCode::kInvalidArgument, "expected an IPv4 loopback address to listen at, got " + at.host,
                "use 127.0.0.1:PORT");
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return Fail(ErrorCode::kIo, std::string("cannot open a socket: ") + std::strerror(errno));
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 128) != 0) {
    const std::string why = std::strerror(errno);
    ::close(fd);
    return Fail(ErrorCode::kUnavailable,
                "cannot listen at " + host + ":" + std::to_string(at.port) + ": " + why,
                "choose another port");
  }
  return fd;
}

int PortOf(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// host:port, port 0 allowed.
Result<net::Endpoint> ListenAddress(const std::string& text) {
  const bool any_port = text.size() > 2 && text.compare(text.size() - 2, 2, ":0") == 0;
  auto endpoint = net::ParseEndpoint("http://" + (any_port ? text.substr(0, text.size() - 1) + "1" : text));
  if (!endpoint) return endpoint;
  if (!net::IsLoopback(*endpoint))
    return Fail(ErrorCode::kRefused, "the recorder listens on loopback only, not at " + text,
                "use 127.0.0.1:PORT");
  if (any_port) endpoint->port = 0;
  return endpoint;
}

}  // namespace

Recorder::Recorder(net::Endpoint upstream, CaptureWriter writer, double stall_s)
    : upstream_(std::move(upstream)), capture_(std::move(writer)), stall_s_(stall_s) {}

Result<std::unique_ptr<Recorder>> Recorder::Start(const RecorderOptions& options) {
  auto upstream = net::ParseEndpoint(options.upstream);
  if (!upstream) return tl::make_unexpected(upstream.error());
  auto at = ListenAddress(options.listen);
  if (!at) return tl::make_unexpected(at.error());
  auto writer = CaptureWriter::Open(options.capture);
  if (!writer) return tl::make_unexpected(writer.error());
  auto fd = Listen(*at);
  if (!fd) return tl::make_unexpected(fd.error());
  std::unique_ptr<Recorder> recorder(
      new Recorder(std::move(*upstream), std::move(*writer), options.stall_timeout_s));
  recorder->listener_ = *fd;
  recorder->port_ = PortOf(*fd);
  recorder->StartThread();
  return recorder;
}

Recorder::~Recorder() {
  Stop();
}

void Recorder::Stop() {
  stop_.request_stop();
  {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return threads_ == 0; });
  }
  capture_.Drain();
  if (listener_ >= 0) ::close(std::exchange(listener_, -1));
}

void Recorder::StartThread() {
  {
    const std::lock_guard lock(mutex_);
    ++threads_;
    ++free_;
  }
  std::thread([this] { Work(); }).detach();  // counted in threads_; Stop waits for zero
}

int Recorder::TakeConnection() {
  const std::lock_guard turn(turn_);
  while (!stop_.stop_requested()) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, 25) <= 0) continue;
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) return fd;
  }
  return -1;
}

void Recorder::Work() {
  for (int fd = TakeConnection(); fd >= 0; fd = TakeConnection()) {
    bool last = false;
    {
      const std::lock_guard lock(mutex_);
      last = --free_ == 0;
    }
    if (last) StartThread();
    Serve(fd);
    const std::lock_guard lock(mutex_);
    ++free_;
  }
  const std::lock_guard lock(mutex_);
  --free_;
  if (--threads_ == 0) ended_.notify_all();
}

void Recorder::Serve(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Result<Exchange> seen = Fail(ErrorCode::kUnavailable, "no request came");
  {
    net::SocketStream client(fd);
    const RelayLimits limits{kRequestStallNs, static_cast<std::int64_t>(stall_s_ * 1e9), stop_.get_token()};
    const net::IoLimits reading{limits.stop, kRequestStallNs, std::numeric_limits<std::int64_t>::max()};
    if (auto request = ReadHead(client, reading)) {
      seen = Relay(std::move(*request), upstream_, client, limits);
    } else {
      seen = tl::make_unexpected(request.error());
    }
    if (!seen && seen.error().code == ErrorCode::kProtocol)
      // The client may be gone already.
      (void)client.Write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                         reading);
  }
  if (seen) capture_.Put(std::move(*seen));  // after the client's connection is closed
}

}  // namespace helix::record
