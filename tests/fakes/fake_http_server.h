// A scripted HTTP server for tests: raw bytes on real sockets, so that every way a reply can go wrong can be
// made. It is a fake: nothing it answers is a measurement.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace helix::fakes {

struct ReceivedRequest {
  std::string method;
  std::string target;                               // path with query
  std::multimap<std::string, std::string> headers;  // names in lower case
  std::string body;
  int connection = 0;  // 0 for the first connection accepted, 1 for the next, ...
  [[nodiscard]] std::string header(const std::string& name) const;  // the first of that name, or ""
};

// What a handler may do with the connection its request came on. Used by the handler's thread only. Every
// call returns false once the client is gone or the server is stopping, so that handlers end soon.
class FakeConnection {
 public:
  FakeConnection(int fd, const std::atomic<bool>& stopping) : fd_(fd), stopping_(stopping) {}

  // Raw bytes, as they are.
  bool Write(std::string_view bytes);
  // The same in pieces of `size` bytes with a pause after each.
  bool WriteInPieces(std::string_view bytes, std::size_t size, std::chrono::milliseconds pause);
  // A whole reply framed by content-length. `extra_headers`: lines that end with CRLF.
  bool Reply(int status, std::string_view body, std::string_view content_type = "application/json",
             std::string_view extra_headers = "");
  // A chunked reply in parts.
  bool BeginChunked(int status, std::string_view content_type, std::string_view extra_headers = "");
  bool Chunk(std::string_view bytes);
  bool EndChunked();
  // false when the client went away or the server is stopping meanwhile.
  bool Sleep(std::chrono::milliseconds time);
  // Says nothing until the client goes away or the server stops.
  void Hang();
  // Ends the connection after the handler returns; by default it is kept for the next request.
  void Close() { close_ = true; }
  // The same, with a reset instead of a clean end.
  void Reset();
  [[nodiscard]] bool closing() const { return close_; }

 private:
  int fd_;
  const std::atomic<bool>& stopping_;
  bool close_ = false;
};

// Listens on a free port of 127.0.0.1 from construction to destruction, one thread per connection. Handlers
// run concurrently when there are several connections. The destructor ends all of them.
class FakeHttpServer {
 public:
  using Handler = std::function<void(const ReceivedRequest&, FakeConnection&)>;
  // `any` answers what no route answers; without it that is 404.
  explicit FakeHttpServer(Handler any = {});
  ~FakeHttpServer();
  FakeHttpServer(const FakeHttpServer&) = delete;
  FakeHttpServer& operator=(const FakeHttpServer&) = delete;

  // Exact match of method and path (the query is not part of it). A later route replaces an earlier one.
  void On(const std::string& method, const std::string& path, Handler handler);

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string base_url() const;
  // Copies of what came so far, in order of arrival.
  [[nodiscard]] std::vector<ReceivedRequest> requests() const;
  [[nodiscard]] int connections() const { return accepted_; }

 private:
  void AcceptLoop();
  void Serve(int fd, int number);
  Handler HandlerFor(const ReceivedRequest& request);

  Handler any_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> accepted_{0};
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Handler> routes_;
  std::vector<ReceivedRequest> requests_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace helix::fakes
