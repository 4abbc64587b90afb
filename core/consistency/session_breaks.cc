#include "core/consistency/session_breaks.h"

#include <map>

namespace helix::consistency {
namespace {

// Less than this share lost is a rounding of blocks, and a prefix below the smallest minimum is never cached.
constexpr double kKeptShare = 0.95;
constexpr std::int64_t kSmallestPrefix = 512;
constexpr double kShrunk = 0.7;  // a prompt this much shorter was rewritten

using usage::CountOf;

// What a turn left in the cache, at least; nullopt when its counters do not say.
std::optional<std::int64_t> Held(const SessionTurn& turn) {
  const auto read = CountOf(turn.usage.cache_read);
  const auto written = CountOf(turn.usage.Writes());
  if (!read && !written) return std::nullopt;
  return read.value_or(0) + written.value_or(0);
}

constexpr double kShortLifeS = 300;
constexpr double kLongLifeS = 3600;

// How long a turn's entries live; nullopt when its writes are not split by lifetime.
std::optional<double> LifetimeS(const SessionTurn& turn) {
  const auto hour = CountOf(turn.usage.cache_write_1h);
  if (hour) return *hour > 0 ? kLongLifeS : kShortLifeS;
  if (CountOf(turn.usage.cache_write_5m)) return kShortLifeS;
  return std::nullopt;
}

void Explain(const SessionTurn& before, const SessionTurn& now, SessionBreak& found) {
  const auto then = EpochSeconds(before.timestamp);
  const auto time = EpochSeconds(now.timestamp);
  const double ttl = LifetimeS(before).value_or(kLongLifeS);  // not known: no entry lives longer
  const auto prompt_then = CountOf(before.usage.in_total);
  const auto prompt_now = CountOf(now.usage.in_total);
  found.verdict = "UNCONFIRMED";
  found.fact = "the log holds no request bodies; a capture of them shows where they differ";
  if (before.model != now.model) {
    found.verdict = "MODEL_CHANGED";
    found.fact = before.model + " was followed by " + now.model;
  } else if (then && time && *time - *then > ttl) {
    found.verdict = "TTL_EXPIRED";
    found.fact = std::to_string(static_cast<std::int64_t>(*time - *then)) + " s passed and the entry lives " +
                 (LifetimeS(before) ? "" : "at most ") + std::to_string(static_cast<std::int64_t>(ttl)) +
                 " s";
  } else if (prompt_then && prompt_now &&
             static_cast<double>(*prompt_now) < kShrunk * static_cast<double>(*prompt_then)) {
    found.verdict = "HISTORY_REWRITTEN";
    found.fact = "the prompt shrank from " + std::to_string(*prompt_then) + " to " +
                 std::to_string(*prompt_now) + " tokens";
  } else if (found.read > 0 && CountOf(before.usage.cache_read) == found.read) {
    found.verdict = "BREAKPOINT_NOT_ADVANCING";
    found.fact = "the read stays at " + std::to_string(found.read) + " tokens while the prompt grows";
  }
}

std::optional<cost::Money> PriceOf(const SessionTurn& turn, std::int64_t lost,
                                   const cost::PriceTable& prices) {
  const auto prompt = CountOf(turn.usage.in_total);
  if (!prompt) return std::nullopt;  // prices can depend on the prompt's length
  const auto row =
      prices.Find("anthropic", cost::BareModelId(turn.model), turn.timestamp.substr(0, 19) + "Z", *prompt);
  if (!row || !row->read) return std::nullopt;
  const auto lifetime = LifetimeS(turn);
  if (!lifetime) return std::nullopt;  // the two kinds of write have two prices
  const auto again = *lifetime > kShortLifeS ? row->write_1h : row->write_5m;
  if (!again) return std::nullopt;
  return (*again - *row->read) * Tokens{lost};
}

// nullopt when nothing broke, or when the counters do not tell.
std::optional<SessionBreak> BreakBetween(const SessionTurn& before, const SessionTurn& now) {
  const auto held = Held(before);
  const auto read = CountOf(now.usage.cache_read);
  if (!held || !read || *held < kSmallestPrefix) return std::nullopt;
  if (static_cast<double>(*read) >= kKeptShare * static_cast<double>(*held)) return std::nullopt;
  SessionBreak found;
  found.held = *held;
  found.read = *read;
  found.lost = *held - *read;
  Explain(before, now, found);
  return found;
}

}  // namespace

std::vector<SessionBreak> FindBreaks(const std::vector<SessionTurn>& turns, const cost::PriceTable& prices) {
  std::vector<SessionBreak> breaks;
  std::map<std::pair<std::string, bool>, std::size_t> last;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto key = std::pair(turns[i].session, turns[i].sidechain);
    if (const auto before = last.find(key); before != last.end()) {
      if (auto found = BreakBetween(turns[before->second], turns[i])) {
        found->turn = i;
        found->cost = PriceOf(turns[i], found->lost, prices);
        breaks.push_back(std::move(*found));
      }
    }
    last[key] = i;
  }
  return breaks;
}

}  // namespace helix::consistency
