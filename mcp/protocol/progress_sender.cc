#include "mcp/protocol/progress_sender.h"

#include <cmath>

#include "core/base/clock.h"
#include "mcp/protocol/jsonrpc.h"

namespace helix::mcp {
namespace {

constexpr std::int64_t kMinGapNs = 20'000'000;
constexpr double kRaise = 0.001;

Json Number(double value) {
  if (std::floor(value) == value && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

void ProgressSender::Report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  const auto now = SteadyNowNs();
  const bool last_step = progress.total > 0 && progress.done >= progress.total;
  if (last_ >= 0 && now - last_ns_ < kMinGapNs && !last_step) return;
  const double value = progress.done > last_ ? progress.done : last_ + kRaise;
  Json params{{"progressToken", token_}, {"progress", Number(value)}};
  if (progress.total > 0 && value <= progress.total) params["total"] = Number(progress.total);
  if (!progress.message.empty()) params["message"] = progress.message;
  last_ = value;
  last_ns_ = now;
  outbox_->Send(NotificationText("notifications/progress", params));
}

void ProgressSender::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

}  // namespace helix::mcp
