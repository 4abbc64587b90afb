#include "core/consistency/session_breaks.h"

#include <map>

namespace helix::consistency {
namespace {

// Less than this share lost is a rounding of blocks, and a prefix below the smallest minimum is never cached.
constexpr double kKeptShare = 0.95;
constexpr std::int64_t kSmallestPrefix = 512;
constexpr double kShrunk = 0.7;  // a prompt this much shorter was rewritten

std::int64_t CountOf(const Measured<Tokens>& tokens) {
  return tokens.present() ? tokens.value().count : 0;
}

std::int64_t Held(const SessionTurn& turn) {
  return CountOf(turn.usage.cache_read) + CountOf(turn.usage.Writes());
}

void Explain(const SessionTurn& before, const SessionTurn& now, SessionBreak& found) {
  const auto then = EpochSeconds(before.timestamp);
  const auto time = EpochSeconds(now.timestamp);
  const double ttl = CountOf(before.usage.cache_write_1h) > 0 ? 3600 : 300;
  found.verdict = "UNCONFIRMED";
  found.fact = "the log holds no request bodies; a capture of them shows where they differ";
  if (before.model != now.model) {
    found.verdict = "MODEL_CHANGED";
    found.fact = before.model + " was followed by " + now.model;
  } else if (then && time && *time - *then > ttl) {
    found.verdict = "TTL_EXPIRED";
    found.fact = std::to_string(static_cast<std::int64_t>(*time - *then)) + " s passed and the entry lives " +
                 std::to_string(static_cast<std::int64_t>(ttl)) + " s";
  } else if (static_cast<double>(CountOf(now.usage.in_total)) <
             kShrunk * static_cast<double>(CountOf(before.usage.in_total))) {
    found.verdict = "HISTORY_REWRITTEN";
    found.fact = "the prompt shrank from " + std::to_string(CountOf(before.usage.in_total)) + " to " +
                 std::to_string(CountOf(now.usage.in_total)) + " tokens";
  } else if (CountOf(before.usage.cache_read) == CountOf(now.usage.cache_read) &&
             CountOf(now.usage.cache_read) > 0) {
    found.verdict = "BREAKPOINT_NOT_ADVANCING";
    found.fact = "the read stays at " + std::to_string(CountOf(now.usage.cache_read)) +
                 " tokens while the prompt grows";
  }
}

std::optional<cost::Money> PriceOf(const SessionTurn& turn, std::int64_t lost,
                                   const cost::PriceTable& prices) {
  const auto row = prices.Find("anthropic", cost::BareModelId(turn.model), turn.timestamp.substr(0, 19) + "Z",
                               CountOf(turn.usage.in_total));
  if (!row || !row->read) return std::nullopt;
  const auto again = CountOf(turn.usage.cache_write_1h) > 0 ? row->write_1h : row->write_5m;
  if (!again) return std::nullopt;
  return (*again - *row->read) * Tokens{lost};
}

}  // namespace

std::vector<SessionBreak> FindBreaks(const std::vector<SessionTurn>& turns, const cost::PriceTable& prices) {
  std::vector<SessionBreak> breaks;
  std::map<std::pair<std::string, bool>, std::size_t> last;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto key = std::pair(turns[i].session, turns[i].sidechain);
    const auto before = last.find(key);
    if (before != last.end() && turns[i].usage.cache_read.present()) {
      const SessionTurn& earlier = turns[before->second];
      SessionBreak found;
      found.turn = i;
      found.held = Held(earlier);
      found.read = CountOf(turns[i].usage.cache_read);
      found.lost = found.held - found.read;
      const bool broke = found.held >= kSmallestPrefix &&
                         static_cast<double>(found.read) < kKeptShare * static_cast<double>(found.held);
      if (broke) {
        Explain(earlier, turns[i], found);
        found.cost = PriceOf(turns[i], found.lost, prices);
        breaks.push_back(std::move(found));
      }
    }
    last[key] = i;
  }
  return breaks;
}

}  // namespace helix::consistency
