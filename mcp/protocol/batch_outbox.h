// Collects the answers to the parts of a batch and sends them as one array.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "mcp/protocol/outbox.h"

namespace helix::mcp {

// Thread-safe. Notifications pass through at once; a batch without answers ends with Nothing.
class BatchOutbox : public Outbox {
 public:
  BatchOutbox(std::shared_ptr<Outbox> inner, std::size_t parts) : inner_(std::move(inner)), left_(parts) {}

  void Send(std::string message) override { inner_->Send(std::move(message)); }
  void Reply(std::string message, int) override { Done(message); }
  void Nothing() override { Done(""); }
  std::stop_token Gone() override { return inner_->Gone(); }

 private:
  void Done(const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (!message.empty()) replies_ += (replies_.empty() ? "[" : ",") + message;
    if (--left_ > 0) return;
    replies_.empty() ? inner_->Nothing() : inner_->Reply(replies_ + "]", 200);
  }

  const std::shared_ptr<Outbox> inner_;
  std::mutex mutex_;
  std::size_t left_;
  std::string replies_;
};

}  // namespace helix::mcp
