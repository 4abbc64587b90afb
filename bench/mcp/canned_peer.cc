// The least an MCP server can do: it copies the request's id into a fixed reply and parses nothing.
// bench/mcp/compare.mjs measures helix-perf-cache against it; a difference to it is the price of real
// parsing, and where there is none the load client is what limits. A fake by intent: it answers every request
// the same way.
//   bench_canned_peer             stdio
//   bench_canned_peer HOST:PORT   HTTP on loopback, one thread
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kInitialized =
    R"("result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"canned","version":"0"}}})";
constexpr std::string_view kEmpty = R"("result":{}})";

// Appends the reply to one line to `out`; a line without an id is a notification and gets none.
void Answer(std::string_view line, std::string& out) {
  constexpr std::string_view kId = "\"id\":";
  const std::size_t start = line.find(kId);
  if (start == std::string_view::npos) return;
  const std::size_t from = start + kId.size();
  const std::size_t to = line.find_first_of(",}", from);
  out.append(R"({"jsonrpc":"2.0","id":)").append(line.substr(from, to - from)).append(",");
  out.append(line.find("\"initialize\"") != std::string_view::npos ? kInitialized : kEmpty).append("\n");
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int ServeStdio() {
  std::string input;
  char piece[1 << 16];
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
    if (got <= 0) return got == 0 ? 0 : 1;
    input.append(piece, static_cast<std::size_t>(got));
    std::string out;
    std::size_t from = 0;
    for (std::size_t end; (end = input.find('\n', from)) != std::string::npos; from = end + 1) {
      Answer(std::string_view(input).substr(from, end - from), out);
    }
    input.erase(0, from);
    if (!WriteAll(STDOUT_FILENO, out)) return 1;
  }
}

// Answers the request in `input` once it is whole, and takes it out.
bool AnswerHttp(int fd, std::string& input) {
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t head = input.find("\r\n\r\n");
  const std::size_t field = input.find(kLength);
  if (head == std::string::npos || field == std::string::npos) return true;
  const std::size_t length = std::strtoul(input.c_str() + field + kLength.size(), nullptr, 10);
  if (input.size() < head + 4 + length) return true;
  std::string body;
  Answer(std::string_view(input).substr(head + 4, length), body);
  input.clear();
  return WriteAll(fd, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                          std::to_string(body.size()) + "\r\n\r\n" + body);
}

int Listen(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      listen(listener, 128) == 0) {
    return listener;
  }
  std::perror("canned_peer");
  return -1;
}

int ServeHttp(int port) {
  const int listener = Listen(port);
  if (listener < 0) return 1;
  const int poller = epoll_create1(0);
  std::map<int, std::string> inputs;
  const auto watch = [&](int fd) {
    const int on = 1;
    if (fd != listener) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
  };
  watch(listener);
  for (;;) {
    epoll_event ready[64];
    for (int i = 0, n = epoll_wait(poller, ready, 64, -1); i < n; ++i) {
      const int fd = ready[i].data.fd;
      if (fd == listener) {
        watch(accept(listener, nullptr, nullptr));
        continue;
      }
      char piece[1 << 14];
      const ssize_t got = read(fd, piece, sizeof piece);
      std::string& input = inputs[fd];
      if (got > 0) input.append(piece, static_cast<std::size_t>(got));
      if (got > 0 && AnswerHttp(fd, input)) continue;
      close(fd);
      inputs.erase(fd);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return ServeStdio();
  const std::string_view binding = argv[1];
  return ServeHttp(std::atoi(argv[1] + binding.rfind(':') + 1));
}
