#include "core/tracks/track_b/cache_verdict.h"

#include <algorithm>

namespace helix::tracks {
namespace {

using Calls = std::vector<CallFacts>;

// A total of 0 says that the counters were lost: a prompt has tokens.
bool Lost(const CallFacts& call) {
  const auto& total = call.reply.usage.in_total;
  return total.present() && total.value().count == 0;
}

std::int64_t ReadOf(const CallFacts& call) {
  if (Lost(call)) return -1;
  const auto& read = call.reply.usage.cache_read;
  return read.present() ? read.value().count : -1;
}

std::int64_t WrittenOf(const CallFacts& call) {
  if (Lost(call)) return -1;
  auto writes = call.reply.usage.Writes();
  return writes.present() ? writes.value().count : -1;
}

std::int64_t TotalOf(const CallFacts& call) {
  const auto& total = call.reply.usage.in_total;
  return total.present() ? total.value().count : -1;
}

std::string List(const Calls& calls, std::int64_t (*get)(const CallFacts&)) {
  std::string out;
  for (const auto& call : calls) {
    auto value = get(call);
    out += (out.empty() ? "" : ", ") + (value < 0 ? std::string("not reported") : std::to_string(value));
  }
  return out;
}

bool All(const Calls& calls, bool (*test)(const CallFacts&)) {
  return std::all_of(calls.begin(), calls.end(), test);
}

template <typename Get>
bool Differ(const Calls& calls, Get get) {
  return std::any_of(calls.begin(), calls.end(),
                     [&](const CallFacts& c) { return get(c) != get(calls.front()); });
}

CacheVerdict NotReported(const Calls& calls, const VerdictContext& context) {
  bool translated = std::any_of(calls.begin(), calls.end(), [](const CallFacts& c) {
    return c.reply.usage.HasFlag("gateway_suspected");
  });
  if (translated || context.through_router) {
    return {"REPORTING_DROPPED_BY_GATEWAY",
            "no reply carries a cache counter, and a gateway translated them"};
  }
  if (context.faster_when_warm == true) {
    return {"REPORTING_OFF_TIMING_SUGGESTS_HIT", "no reply carries a cache counter; the repeats were faster"};
  }
  return {"REPORTING_OFF", "no reply carries a cache counter"};
}

CacheVerdict NeverCached(const Calls& calls, const VerdictContext& context) {
  std::string totals = "read and written are 0 in all calls of " + List(calls, TotalOf) + " prompt tokens";
  if (context.minimum_prefix && TotalOf(calls.front()) >= 0 &&
      TotalOf(calls.front()) < *context.minimum_prefix) {
    return {"BELOW_MINIMUM",
            totals + "; the published minimum is " + std::to_string(*context.minimum_prefix)};
  }
  bool marked = All(calls, [](const CallFacts& c) { return c.marked; });
  if (!context.reads_markers) return {"CACHE_NOT_FUNCTIONING", totals};
  if (!marked) return {"BREAKPOINT_MISSING", totals + "; the requests carried no marker"};
  if (context.minimum_prefix) {
    return {"BREAKPOINT_MISSING",
            totals + "; the requests were marked, so no marker took effect on this route"};
  }
  return {"UNCONFIRMED", totals + "; marked, and this model's minimum is not published"};
}

}  // namespace

CacheVerdict JudgeRepeats(const Calls& calls, const VerdictContext& context) {
  if (calls.empty()) return {"UNCONFIRMED", "no call to judge"};
  if (Differ(calls, [](const CallFacts& c) { return c.reply.provider_name + "/" + c.reply.model; })) {
    return {"ROUTE_CHANGED", "the replies name different providers or models"};
  }
  if (All(calls, [](const CallFacts& c) { return ReadOf(c) < 0; })) return NotReported(calls, context);
  // What a server does with one prompt in two is no property of its route.
  if (calls.size() < kFewestRepeats) {
    return {"UNCONFIRMED", std::to_string(calls.size()) + " warm calls (read " + List(calls, ReadOf) +
                               " of " + List(calls, TotalOf) + "): a verdict needs " +
                               std::to_string(kFewestRepeats)};
  }
  bool none_read = All(calls, [](const CallFacts& c) { return ReadOf(c) <= 0; });
  bool some_written =
      std::any_of(calls.begin(), calls.end(), [](const CallFacts& c) { return WrittenOf(c) > 0; });
  if (none_read && some_written) {
    if (Differ(calls, [](const CallFacts& c) { return c.marked_digest; })) {
      return {"BREAKPOINT_ON_VOLATILE",
              "each call wrote (" + List(calls, WrittenOf) + ") and the marked bytes differ"};
    }
    return {"CACHE_NOT_FUNCTIONING", "written " + List(calls, WrittenOf) + ", read 0 in every call"};
  }
  if (none_read) return NeverCached(calls, context);
  bool full =
      All(calls, [](const CallFacts& c) { return TotalOf(c) > 0 && ReadOf(c) * 10 >= TotalOf(c) * 9; });
  return {full ? "OK_APPEND_ONLY" : "OK_PARTIAL_HIT",
          "read " + List(calls, ReadOf) + " of " + List(calls, TotalOf)};
}

std::optional<CacheVerdict> JudgeTurns(const Calls& turns) {
  bool known =
      turns.size() >= 3 && All(turns, [](const CallFacts& c) { return ReadOf(c) >= 0 && WrittenOf(c) >= 0; });
  if (!known) return std::nullopt;
  std::string numbers = "read " + List(turns, ReadOf) + "; written " + List(turns, WrittenOf);
  const std::size_t n = turns.size();
  bool frozen = ReadOf(turns[n - 3]) == ReadOf(turns[n - 2]) && ReadOf(turns[n - 2]) == ReadOf(turns[n - 1]);
  bool growing =
      WrittenOf(turns[n - 3]) < WrittenOf(turns[n - 2]) && WrittenOf(turns[n - 2]) < WrittenOf(turns[n - 1]);
  if (frozen && growing && ReadOf(turns[n - 1]) > 0) return CacheVerdict{"BREAKPOINT_NOT_ADVANCING", numbers};
  auto [low, high] = std::minmax_element(turns.begin(), turns.end(),
                                         [](const auto& a, const auto& b) { return ReadOf(a) < ReadOf(b); });
  bool pinned = ReadOf(*high) * 10 <= ReadOf(*low) * 12;
  bool writes_stay =
      WrittenOf(turns.back()) * 10 >= WrittenOf(turns.front()) * 8 && WrittenOf(turns.back()) > 0;
  bool large = WrittenOf(turns.back()) * 4 >= ReadOf(turns.back());
  if (pinned && writes_stay && large) return CacheVerdict{"REWRITES_EVERY_TURN", numbers};
  return CacheVerdict{"OK_APPEND_ONLY", numbers};
}

}  // namespace helix::tracks
