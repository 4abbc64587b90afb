#include "mcp/transport/http_outbox.h"

#include <sys/eventfd.h>

#include <utility>

namespace helix::mcp {

void HttpMailbox::Post(HttpAction action) {
  const std::lock_guard lock(mutex_);
  if (wake_fd_ < 0) return;
  actions_.push_back(std::move(action));
  if (std::this_thread::get_id() != owner_) eventfd_write(wake_fd_, 1);
}

std::vector<HttpAction> HttpMailbox::Take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(actions_, {});
}

bool HttpMailbox::Empty() {
  const std::lock_guard lock(mutex_);
  return actions_.empty();
}

void HttpMailbox::Close() {
  const std::lock_guard lock(mutex_);
  wake_fd_ = -1;
  actions_.clear();
}

}  // namespace helix::mcp
