// What `record` adds to the time to first byte with 32 streams open: the same requests straight to an
// upstream on loopback and through the program, in turns. Goal: 1 ms at p50 and 5 ms at p99.
// Only requests that are sent while the 31 others are open count: each client asks again as soon as its reply
// has ended, its first request of a round is not counted, and it goes on until the others have theirs.
//   bench_recorder_latency PROGRAM [ROUNDS]
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "core/analysis/quantile.h"
#include "core/base/clock.h"
#include "core/base/settings.h"
#include "core/process/child_process.h"

namespace {

using namespace helix;

constexpr int kStreams = 32;
constexpr int kEvents = 15;
constexpr int kCounted = 4;                            // requests of one client in one round
constexpr auto kPace = std::chrono::milliseconds(20);  // 50 tokens a second and stream
constexpr int kBodyBytes = 100'000;                    // what a coding client sends

// Streams open at the upstream, and what that was when each request had come.
struct Upstream {
  std::mutex mutex;
  int open = 0;
  std::vector<double> seen;
};

int Listen(int& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
  ::listen(fd, 256);
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  port = ntohs(address.sin_port);
  return fd;
}

bool WriteAll(int fd, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::send(fd, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

std::string Chunk(const std::string& bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

// Reads one request, answers its first event at once and the others at the pace of a model.
void ServeOne(int fd, Upstream& upstream) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  std::string request;
  std::vector<char> piece(65536);
  while (true) {
    const auto head = request.find("\r\n\r\n");
    if (head != std::string::npos && request.size() >= head + 4 + kBodyBytes) break;
    const ssize_t n = ::recv(fd, piece.data(), piece.size(), 0);
    if (n <= 0) return void(::close(fd));
    request.append(piece.data(), static_cast<std::size_t>(n));
  }
  {
    const std::lock_guard lock(upstream.mutex);
    upstream.seen.push_back(++upstream.open);
  }
  bool open = WriteAll(fd,
                       "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
                       "Connection: close\r\n\r\n" +
                           Chunk("data: {\"n\":0}\n\n"));
  for (int i = 1; open && i < kEvents; ++i) {
    std::this_thread::sleep_for(kPace);
    open = WriteAll(fd, Chunk(fmt::format("data: {{\"n\":{}}}\n\n", i)));
  }
  WriteAll(fd, "0\r\n\r\n");
  {
    const std::lock_guard lock(upstream.mutex);
    --upstream.open;
  }
  ::shutdown(fd, SHUT_WR);
  ::close(fd);
}

// Milliseconds from the request's first byte to the reply's first; -1 when it failed.
double OneStream(int port, const std::string& request) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  double ttfb = -1;
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const std::int64_t start = SteadyNowNs();
    std::vector<char> piece(4096);
    if (WriteAll(fd, request) && ::recv(fd, piece.data(), piece.size(), 0) > 0)
      ttfb = static_cast<double>(SteadyNowNs() - start) / 1e6;
    while (::recv(fd, piece.data(), piece.size(), 0) > 0) {
    }
  }
  ::close(fd);
  return ttfb;
}

// The streams start spread over the length of one, as clients of their own do.
void Round(int port, const std::string& request, std::vector<double>& times) {
  std::mutex mutex;
  std::atomic<int> done = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < kStreams; ++i)
    clients.emplace_back([&, i] {
      std::this_thread::sleep_for(kPace * kEvents * i / kStreams);
      for (int asked = 0; done < kStreams; ++asked) {
        const double ttfb = OneStream(port, request);
        if (asked == kCounted) ++done;
        if (asked == 0 || asked > kCounted) continue;
        const std::lock_guard lock(mutex);
        times.push_back(ttfb);
      }
    });
  for (auto& client : clients) client.join();
}

int PortIn(const std::string& log) {
  const std::string text = process::FileTail(log, 4000);
  const auto at = text.find("127.0.0.1:");
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + 10);
}

double Quantile(const std::vector<double>& values, int per_mille) {
  return analysis::QuantileNearestRank(values, per_mille).value_or(-1);
}

std::string Request() {
  std::string body = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"";
  body += std::string(kBodyBytes - body.size() - 4, 'x') + "\"}]}";
  body.resize(kBodyBytes, ' ');
  return fmt::format(
      "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
      "{}\r\n\r\n{}",
      body.size(), body);
}

int StartUpstream(Upstream& upstream) {
  int port = 0;
  const int listener = Listen(port);
  std::thread([listener, &upstream] {
    while (true) {
      const int fd = ::accept(listener, nullptr, nullptr);
      if (fd >= 0) std::thread([fd, &upstream] { ServeOne(fd, upstream); }).detach();
    }
  }).detach();
  return port;
}

bool Report(const std::vector<double>& direct, const std::vector<double>& through) {
  bool met = true;
  fmt::print("{} streams, {} requests each way, body {} bytes\n", kStreams, direct.size(), kBodyBytes);
  for (const auto& [per_mille, goal] : {std::pair(500, 1.0), std::pair(990, 5.0)}) {
    const double added = Quantile(through, per_mille) - Quantile(direct, per_mille);
    met = met && added < goal && Quantile(direct, 1) >= 0 && Quantile(through, 1) >= 0;
    fmt::print(
        "time to first byte, p{}: direct {:.3f} ms, recorded {:.3f} ms, added {:.3f} ms (goal: below {} "
        "ms)\n",
        per_mille / 10, Quantile(direct, per_mille), Quantile(through, per_mille), added, goal);
  }
  fmt::print("goal: {}\n", met ? "met" : "missed");
  return met;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_recorder_latency PROGRAM [ROUNDS]\n");
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 8;
  static Upstream upstream;  // its threads end with the program
  const int upstream_port = StartUpstream(upstream);
  std::string folder = (std::filesystem::temp_directory_path() / "helix-recorder-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const std::string log = folder + "/log";
  auto recorder = process::ChildProcess::Start(
      {{argv[1], "record", "--upstream", fmt::format("http://127.0.0.1:{}", upstream_port), "--out",
        folder + "/c.jsonl"},
       {},
       log,
       {}});
  if (!recorder) {
    fmt::print(stderr, "{}\n", recorder.error().Text());
    return 1;
  }
  int port = 0;
  for (int i = 0; i < 100 && port == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    port = PortIn(log);
  }
  const std::string request = Request();
  std::vector<double> direct, through, ignored;
  Round(upstream_port, request, ignored);
  Round(port, request, ignored);
  for (int round = 0; round < rounds; ++round) {
    Round(upstream_port, request, direct);
    Round(port, request, through);
  }
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  {
    const std::lock_guard lock(upstream.mutex);
    fmt::print("streams open when a request came, median: {}\n", Quantile(upstream.seen, 500));
  }
  return Report(direct, through) ? 0 : 1;
}
