// One HTTP connection, whatever the bytes and however they are split: what it says is a sequence of whole
// HTTP responses, and the same from one piece as from many.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/net/http_reply_parser.h"
#include "mcp/protocol/dispatcher.h"
#include "mcp/protocol/tool_adapter.h"
#include "mcp/transport/http_connection.h"
#include "tests/fuzz/require.h"

namespace {

using namespace helix::mcp;
using helix::Json;

Catalog OneTool() {
  helix::mcp::Tool tool;
  tool.name = "echo";
  tool.input_schema = Json{{"type", "object"}, {"properties", {{"text", {{"type", "string"}}}}}};
  tool.output_schema = Json{{"type", "object"}};
  tool.handler = [](const Json& arguments, const helix::Settings&, const helix::RunContext& run) {
    run.Report(1, 2, "half");
    return helix::Result<Json>(arguments);
  };
  Catalog catalog;
  catalog.tools.push_back(AdaptTool(tool, helix::Settings{}));
  return catalog;
}

// The server's side of a socket pair, driven by hand.
class Served {
 public:
  Served() {
    HELIX_REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends_) == 0);
    on_request_ = [this](const HttpRequest& request, const std::shared_ptr<HttpOutbox>& outbox) {
      static Dispatcher dispatcher(OneTool(), [](const std::function<void()>& task) {
        task();
        return true;
      });
      dispatcher.Receive(session_, request.body, outbox, &request.headers);
      dispatcher.Stop(*session_);  // streams that stay open end at once
    };
    connection_ = std::make_unique<HttpConnection>(ends_[0], 1, mailbox_, policy_, on_request_);
  }
  ~Served() {
    connection_.reset();
    close(ends_[1]);
    close(wake_);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  void Hear(std::string_view bytes) {
    while (alive_ && !bytes.empty()) {
      const auto n = send(ends_[1], bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
      Turn();
    }
  }
  std::string Said() {
    shutdown(ends_[1], SHUT_WR);
    for (int i = 0; i < 1000 && alive_; ++i) Turn();
    Collect();
    return said_;
  }

 private:
  void Turn() {
    alive_ = connection_->Readable();
    for (auto actions = mailbox_->Take(); alive_ && !actions.empty(); actions = mailbox_->Take()) {
      for (const auto& action : actions)
        alive_ = alive_ && connection_->Apply(action) && connection_->Writable();
    }
    Collect();
  }
  void Collect() {
    char buffer[4096];
    for (ssize_t n; (n = recv(ends_[1], buffer, sizeof buffer, 0)) > 0;)
      said_.append(buffer, static_cast<std::size_t>(n));
  }

  int ends_[2] = {-1, -1};
  const int wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const std::shared_ptr<HttpMailbox> mailbox_ = std::make_shared<HttpMailbox>(wake_);
  const std::shared_ptr<Session> session_ = std::make_shared<Session>(true);
  const HttpPolicy policy_{};
  OnHttpRequest on_request_;
  std::unique_ptr<HttpConnection> connection_;
  bool alive_ = true;
  std::string said_;
};

// Statuses and bodies, so that a difference can be seen; every response must be whole. Why a connection is
// ended can depend on how much of a bad request has come: its head may be refused before its body is seen to
// be broken.
std::string Responses(std::string_view said) {
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  std::string seen;
  while (!said.empty()) {
    if (said.substr(0, kContinue.size()) == kContinue) {
      said.remove_prefix(kContinue.size());
      continue;
    }
    helix::net::HttpReplyParser parser({}, false);
    std::string body;
    auto fed = parser.Feed(said, [&](std::string_view bytes) {
      body += bytes;
      return true;
    });
    HELIX_REQUIRE(fed.has_value());
    said.remove_prefix(*fed);
    HELIX_REQUIRE(parser.complete() || (parser.ends_with_connection() && said.empty()));
    HELIX_REQUIRE(parser.keep_alive() || said.empty());
    const bool refused = parser.status() >= 400 && !parser.keep_alive();
    seen += refused ? "refused" : std::to_string(parser.status()) + body + "\n";
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Served whole;
  whole.Hear(text);
  Served split;
  const std::size_t piece = 1 + size / 5;
  for (std::size_t at = 0; at < size; at += piece) split.Hear(text.substr(at, piece));
  HELIX_REQUIRE(Responses(whole.Said()) == Responses(split.Said()));
  return 0;
}
