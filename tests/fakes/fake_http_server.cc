#include "tests/fakes/fake_http_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "core/net/http_text.h"

namespace helix::fakes {
namespace {

constexpr int kPollMs = 10;

// Bytes that came, or nothing at the end, an error, or when the server is stopping.
std::optional<std::string> ReadSome(int fd, const std::atomic<bool>& stopping) {
  while (!stopping) {
    pollfd item{fd, POLLIN, 0};
    if (poll(&item, 1, kPollMs) <= 0) continue;
    std::array<char, 65536> bytes{};
    ssize_t got = ::recv(fd, bytes.data(), bytes.size(), 0);
    if (got <= 0) return std::nullopt;
    return std::string(bytes.data(), static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

ReceivedRequest ParseHead(const std::string& head) {
  ReceivedRequest request;
  std::size_t line_end = head.find("\r\n");
  const std::string first = head.substr(0, line_end);
  request.method = first.substr(0, first.find(' '));
  const std::size_t target = std::min(request.method.size() + 1, first.size());
  request.target = first.substr(target, first.find(' ', target) - target);
  while (line_end + 2 < head.size()) {
    const std::size_t start = line_end + 2;
    line_end = std::min(head.find("\r\n", start), head.size());
    const std::string line = head.substr(start, line_end - start);
    const std::size_t colon = std::min(line.find(':'), line.size());
    request.headers.emplace(net::LowerCase(line.substr(0, colon)),
                            net::TrimBlanks(line.substr(std::min(colon + 1, line.size()))));
  }
  return request;
}

// `buffer` keeps what was read beyond the request.
std::optional<ReceivedRequest> ReadRequest(int fd, std::string& buffer, const std::atomic<bool>& stopping) {
  std::size_t head_end = std::string::npos;
  while ((head_end = buffer.find("\r\n\r\n")) == std::string::npos) {
    auto more = ReadSome(fd, stopping);
    if (!more) return std::nullopt;
    buffer += *more;
  }
  ReceivedRequest request = ParseHead(buffer.substr(0, head_end));
  buffer.erase(0, head_end + 4);
  const std::size_t length = std::strtoul(request.header("content-length").c_str(), nullptr, 10);
  while (buffer.size() < length) {
    auto more = ReadSome(fd, stopping);
    if (!more) return std::nullopt;
    buffer += *more;
  }
  request.body = buffer.substr(0, length);
  buffer.erase(0, length);
  return request;
}

int ListenOnLoopback() {
  int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(fd, 128) != 0) {
    throw std::runtime_error("the fake server could not listen on loopback");
  }
  return fd;
}

int PortOf(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

std::string ReceivedRequest::header(const std::string& name) const {
  auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

bool FakeConnection::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (stopping_) return false;
    pollfd item{fd_, POLLOUT, 0};
    if (poll(&item, 1, kPollMs) <= 0) continue;
    ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool FakeConnection::WriteInPieces(std::string_view bytes, std::size_t size,
                                   std::chrono::milliseconds pause) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
    if (!Write(bytes.substr(0, size)) || !Sleep(pause)) return false;
  }
  return true;
}

bool FakeConnection::Reply(int status, std::string_view body, std::string_view content_type,
                           std::string_view extra_headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) +
                     " Fake\r\nContent-Type: " + std::string(content_type) +
                     "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  return Write(text.append(extra_headers).append("\r\n").append(body));
}

bool FakeConnection::BeginChunked(int status, std::string_view content_type, std::string_view extra_headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) +
                     " Fake\r\nContent-Type: " + std::string(content_type) +
                     "\r\nTransfer-Encoding: chunked\r\n";
  return Write(text.append(extra_headers).append("\r\n"));
}

bool FakeConnection::Chunk(std::string_view bytes) {
  std::array<char, 20> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  return Write(std::string(size.data()).append(bytes).append("\r\n"));
}

bool FakeConnection::EndChunked() {
  return Write("0\r\n\r\n");
}

bool FakeConnection::Sleep(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!stopping_) {
    char byte = 0;
    const ssize_t got = ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= left.zero()) return true;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(kPollMs)));
  }
  return false;
}

void FakeConnection::Hang() {
  while (Sleep(std::chrono::hours(1))) {
  }
}

void FakeConnection::Reset() {
  linger abort{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
  close_ = true;
}

FakeHttpServer::FakeHttpServer(Handler any) : any_(std::move(any)), listener_(ListenOnLoopback()) {
  port_ = PortOf(listener_);
  acceptor_ = std::thread([this] { AcceptLoop(); });
}

FakeHttpServer::~FakeHttpServer() {
  stopping_ = true;
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
  ::close(listener_);
}

void FakeHttpServer::On(const std::string& method, const std::string& path, Handler handler) {
  std::lock_guard lock(mutex_);
  routes_[method + " " + path] = std::move(handler);
}

std::string FakeHttpServer::base_url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

std::vector<ReceivedRequest> FakeHttpServer::requests() const {
  std::lock_guard lock(mutex_);
  return requests_;
}

void FakeHttpServer::AcceptLoop() {
  while (!stopping_) {
    pollfd item{listener_, POLLIN, 0};
    if (poll(&item, 1, kPollMs) <= 0) continue;
    int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    int one = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const int number = accepted_++;
    std::lock_guard lock(mutex_);
    threads_.emplace_back([this, fd, number] { Serve(fd, number); });
  }
}

void FakeHttpServer::Serve(int fd, int number) {
  std::string buffer;
  FakeConnection connection(fd, stopping_);
  while (!connection.closing()) {
    auto request = ReadRequest(fd, buffer, stopping_);
    if (!request) break;
    request->connection = number;
    const Handler handler = HandlerFor(*request);
    handler(*request, connection);
  }
  ::close(fd);
}

FakeHttpServer::Handler FakeHttpServer::HandlerFor(const ReceivedRequest& request) {
  std::lock_guard lock(mutex_);
  requests_.push_back(request);
  auto found = routes_.find(request.method + " " + request.target.substr(0, request.target.find('?')));
  if (found != routes_.end()) return found->second;
  if (any_) return any_;
  return [](const ReceivedRequest&, FakeConnection& connection) { connection.Reply(404, "{}"); };
}

}  // namespace helix::fakes
