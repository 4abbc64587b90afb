// Messages of tool threads on their way to the one thread that owns the connections.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "mcp/protocol/outbox.h"

namespace helix::mcp {

struct HttpAction {
  enum class Kind { kSend, kReply, kNothing };
  std::uint64_t connection;
  std::uint64_t exchange;
  Kind kind;
  std::string message;
  int status;
};

// Thread-safe. Lives as long as the last outbox, which may be after the server is gone.
class HttpMailbox {
 public:
  explicit HttpMailbox(int wake_fd) : wake_fd_(wake_fd), owner_(std::this_thread::get_id()) {}

  void Post(HttpAction action);
  std::vector<HttpAction> Take();
  [[nodiscard]] bool Empty();
  // The server is gone: what is posted from now on is dropped.
  void Close();

 private:
  std::mutex mutex_;
  int wake_fd_;
  const std::thread::id owner_;  // does not need to be woken
  std::vector<HttpAction> actions_;
};

// Where the messages that belong to one POST go. Thread-safe.
class HttpOutbox : public Outbox {
 public:
  HttpOutbox(std::shared_ptr<HttpMailbox> mailbox, std::uint64_t connection, std::uint64_t exchange)
      : mailbox_(std::move(mailbox)), connection_(connection), exchange_(exchange) {}

  void Send(std::string message) override { Post(HttpAction::Kind::kSend, std::move(message), 200); }
  void Reply(std::string message, int http_status) override {
    Post(HttpAction::Kind::kReply, std::move(message), http_status);
  }
  void Nothing() override { Post(HttpAction::Kind::kNothing, "", 202); }
  std::stop_token Gone() override { return gone_.get_token(); }
  void ClientLeft() { gone_.request_stop(); }

 private:
  void Post(HttpAction::Kind kind, std::string message, int status) {
    mailbox_->Post({connection_, exchange_, kind, std::move(message), status});
  }

  const std::shared_ptr<HttpMailbox> mailbox_;
  const std::uint64_t connection_;
  const std::uint64_t exchange_;
  std::stop_source gone_;
};

}  // namespace helix::mcp
