// One client's connection: requests in, one at a time and in order, responses and event streams out.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "mcp/transport/http_outbox.h"
#include "mcp/transport/http_parser.h"
#include "mcp/transport/http_rules.h"

namespace helix::mcp {

// Takes a request that passed the rules.
using OnHttpRequest = std::function<void(const HttpRequest&, const std::shared_ptr<HttpOutbox>&)>;

// Used by the server's thread alone. Owns the descriptor, which must not block.
class HttpConnection {
 public:
  HttpConnection(int fd, std::uint64_t id, std::shared_ptr<HttpMailbox> mailbox, const HttpPolicy& policy,
                 const OnHttpRequest& on_request);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // The socket can be read, can be written, or was closed by the peer. False: the connection is over.
  bool Readable();
  bool Writable();
  // An answer or a notification for the request being worked on; anything else is dropped.
  bool Apply(const HttpAction& action);
  // Once a second: keeps quiet streams alive, ends what is stuck. False: the connection is over.
  bool Tick(std::int64_t now_ns);

  // What to wait for, as epoll bits.
  [[nodiscard]] std::uint32_t Interest() const;
  [[nodiscard]] bool busy() const { return outbox_ != nullptr || sent_ < out_.size(); }
  [[nodiscard]] int fd() const { return fd_; }
  std::uint32_t registered = 0;  // the interest that epoll knows of

 private:
  // The next request is not looked at yet: one is being worked on, or the client does not read its answers.
  [[nodiscard]] bool Waiting() const;
  bool Advance();
  void CheckHead();
  void Begin();
  void EndExchange();
  void Stream(std::string_view bytes);
  void Put(std::string_view bytes);
  void Respond(int status, std::string_view body, std::string_view extra = {});
  // Answers and then reads over what still comes, so that the answer is not lost to a reset; never parses it.
  void RespondAndLeave(int status, const std::string& reason, std::string_view extra = {});
  bool Flush();

  const int fd_;
  const std::uint64_t id_;
  const std::shared_ptr<HttpMailbox> mailbox_;
  const HttpPolicy& policy_;
  const OnHttpRequest& on_request_;
  HttpParser parser_;
  std::string in_;
  std::string out_;
  std::size_t sent_ = 0;
  std::shared_ptr<HttpOutbox> outbox_;  // of the request being worked on
  std::uint64_t exchange_ = 0;
  Accepts accepts_;
  std::string cors_;  // header lines for a browser page on this machine
  bool checked_ = false;
  bool streaming_ = false;
  bool peer_done_ = false;
  bool leaving_ = false;  // nothing more is read as a request
  bool close_after_ = false;
  std::int64_t last_in_ns_;
  std::int64_t last_out_ns_;
  std::int64_t begun_ns_ = 0;
};

}  // namespace helix::mcp
