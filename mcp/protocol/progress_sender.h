// notifications/progress of one request: strictly increasing, not too many, none after the answer.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/base/json.h"
#include "core/base/run_context.h"
#include "mcp/protocol/outbox.h"

namespace helix::mcp {

// Thread-safe. Close it before the answer is sent.
class ProgressSender {
 public:
  ProgressSender(Json token, std::shared_ptr<Outbox> outbox)
      : token_(std::move(token)), outbox_(std::move(outbox)) {}

  // A value that is not above the last one is raised a little, so that a message is not lost. More than 50 a
  // second are dropped, but never the last step.
  void Report(const Progress& progress);
  // After it returns, nothing more is sent.
  void Close();

 private:
  const Json token_;
  const std::shared_ptr<Outbox> outbox_;
  std::mutex mutex_;
  double last_ = -1;
  std::int64_t last_ns_ = 0;
  bool closed_ = false;
};

}  // namespace helix::mcp
