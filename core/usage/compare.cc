#include "core/usage/compare.h"

#include <map>

namespace helix::usage {
namespace {

std::optional<double> TimeOf(const Reply& reply) {
  return reply.ttft_ms ? reply.ttft_ms : reply.wall_ms;
}

// Later time as a share of the first; nullopt when either was not recorded.
std::optional<double> TimeRatio(const Reply& first, const Reply& last) {
  bool same_clock = first.ttft_ms.has_value() == last.ttft_ms.has_value();
  auto before = TimeOf(first);
  auto after = TimeOf(last);
  if (!same_clock || !before || !after || *before <= 0) return std::nullopt;
  return *after / *before;
}

bool WroteWithoutReading(const Reply& reply) {
  auto writes = reply.usage.Writes();
  return reply.usage.cache_read.present() && reply.usage.cache_read.value().count == 0 && writes.present() &&
         writes.value().count > 0;
}

bool AllWroteWithoutReading(const std::vector<Reply>& replies) {
  for (const auto& reply : replies) {
    if (!WroteWithoutReading(reply)) return false;
    if (reply.usage.Writes().value() != replies.front().usage.Writes().value()) return false;
  }
  return true;
}

}  // namespace

void CompareReplies(std::vector<Reply>& replies) {
  if (replies.size() < 2) return;
  const Reply& first = replies.front();
  Reply& last = replies.back();
  if (!last.usage.in_total.present() || first.usage.in_total.optional() != last.usage.in_total.optional())
    return;
  auto ratio = TimeRatio(first, last);
  if (!last.usage.cache_read.present() && ratio && *ratio <= 1.0 / 3)
    last.usage.AddFlag("timing_suggests_hit");
  if (!AllWroteWithoutReading(replies)) return;
  last.usage.RemoveFlag("write");
  last.usage.AddFlag("write_without_read");
  if (ratio && *ratio >= 0.8) last.usage.AddFlag("no_timing_gain");
}

std::size_t DropRepeats(std::vector<Reply>& replies) {
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  std::vector<Reply> kept;
  for (auto& reply : replies) {
    if (reply.id.empty()) {
      kept.push_back(std::move(reply));
      continue;
    }
    auto [it, fresh] = seen.try_emplace({reply.id, reply.request_id}, kept.size());
    if (fresh) {
      kept.push_back(std::move(reply));
    } else if (reply.usage.out_total.present()) {
      kept[it->second].usage.out_total = reply.usage.out_total;
    }
  }
  std::size_t dropped = replies.size() - kept.size();
  replies = std::move(kept);
  return dropped;
}

}  // namespace helix::usage
