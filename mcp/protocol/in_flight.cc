#include "mcp/protocol/in_flight.h"

#include <algorithm>
#include <vector>

#include "core/base/clock.h"

namespace helix::mcp {
namespace {

constexpr std::int64_t kRememberNs = 5'000'000'000;
constexpr std::size_t kRememberAtMost = 4096;

}  // namespace

std::stop_source InFlight::Begin(const std::string& id_key) {
  std::stop_source source;
  const std::lock_guard lock(mutex_);
  running_.emplace(id_key, source);
  return source;
}

void InFlight::End(const std::string& id_key, const std::stop_source& source) {
  const std::lock_guard lock(mutex_);
  auto [first, last] = running_.equal_range(id_key);
  const auto found = std::find_if(first, last, [&](const auto& entry) { return entry.second == source; });
  if (found != last) running_.erase(found);
  if (!shared_) return;
  ended_.emplace_back(SteadyNowNs(), id_key);
  if (ended_.size() > kRememberAtMost) ended_.pop_front();
}

bool InFlight::EndedLately(const std::string& id_key) {
  const auto oldest = SteadyNowNs() - kRememberNs;
  while (!ended_.empty() && ended_.front().first < oldest) ended_.pop_front();
  return std::any_of(ended_.begin(), ended_.end(), [&](const auto& entry) { return entry.second == id_key; });
}

void InFlight::Cancel(const std::string& id_key) {
  std::stop_source source(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = running_.equal_range(id_key);
    if (first == last) return;
    if (shared_ && (std::next(first) != last || EndedLately(id_key))) return;
    source = first->second;
  }
  source.request_stop();
}

void InFlight::CancelAll() {
  std::vector<std::stop_source> sources;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, source] : running_) sources.push_back(source);
  }
  for (auto& source : sources) source.request_stop();
}

}  // namespace helix::mcp
