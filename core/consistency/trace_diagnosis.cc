#include "core/consistency/trace_diagnosis.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"
#include "core/consistency/reply_diagnosis.h"
#include "core/consistency/reply_trace.h"

namespace helix::consistency {
namespace {

using Steps = std::vector<TraceStep>;
using Found = std::optional<Json>;

constexpr double kHitShare = 0.5;  // of the best reuse seen: a hit
constexpr double kFasterRatio = 1.0 / 3;
constexpr double kTrivialTokens = 16;  // a template's first words

std::string Text(const std::optional<double>& value) {
  return value ? NumberText(*value) : "?";
}

// The prompt's tokens; nullopt when its parts do not add up to it. A reply without a count of writes has
// none beside what was read and what was not.
std::optional<double> PromptOf(const TraceStep& step) {
  if (step.total) return step.total;
  if (!step.read || !step.uncached) return std::nullopt;
  return *step.read + *step.uncached + step.written.value_or(0);
}

// Requests in flight together: some found the warm slot and some did not.
Found Slots(const ReplyTrace& trace) {
  if (!trace.parallel || trace.steps.size() < 2) return std::nullopt;
  const auto reported = std::count_if(trace.steps.begin(), trace.steps.end(),
                                      [](const TraceStep& step) { return step.read.has_value(); });
  if (reported == 0) return std::nullopt;
  // What is not reported is no miss.
  if (reported < static_cast<std::ptrdiff_t>(trace.steps.size()))
    return Unconfirmed("not every request in flight reports what it reused");
  double best = 0;
  for (const TraceStep& step : trace.steps) best = std::max(best, *step.read);
  const auto hits = std::count_if(trace.steps.begin(), trace.steps.end(), [best](const TraceStep& step) {
    return best > kTrivialTokens && *step.read >= kHitShare * best;
  });
  const auto misses = static_cast<std::ptrdiff_t>(trace.steps.size()) - hits;
  const Json numbers{{"hits", hits}, {"misses", misses}};
  if (misses == 0) return FindingJson("OK_PARTIAL_HIT", "every request reused the prefix", "", numbers);
  return FindingJson("SLOT_CONTENTION",
                     std::to_string(hits) + " of " + std::to_string(trace.steps.size()) +
                         " requests reused the prefix; the others reused next to nothing",
                     "llama-server", numbers);
}

Found Snapshots(const Steps& steps) {
  const bool all =
      std::all_of(steps.begin(), steps.end(), [](const TraceStep& s) { return s.matched && s.read; });
  if (!all || steps.size() < 2) return std::nullopt;
  const TraceStep& first = steps.front();
  const TraceStep& last = steps.back();
  const Json numbers{{"matched", *last.matched}, {"cached", *last.read}};
  if (*last.read == 0 && *last.matched > 0)
    return FindingJson("ENGINE_CANNOT_REUSE",
                       "the prompt matched " + Text(last.matched) + " tokens and none was reused", "",
                       numbers);
  const bool constant =
      std::all_of(steps.begin(), steps.end(), [&](const TraceStep& s) { return *s.read == *first.read; });
  if (constant && *last.matched > *first.matched && *last.matched - *last.read > 1)
    return FindingJson(
        "SNAPSHOT_GRID",
        "reuse stays at " + Text(last.read) + " tokens while the match grows to " + Text(last.matched), "",
        numbers);
  const bool near =
      std::all_of(steps.begin(), steps.end(), [](const TraceStep& s) { return *s.matched - *s.read <= 1; });
  if (near) return FindingJson("OK_PARTIAL_HIT", "reuse follows the match", "", numbers);
  return std::nullopt;
}

Found Route(const Steps& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const TraceStep& before = steps[i - 1];
    const TraceStep& now = steps[i];
    const bool moved = !before.route.empty() && !now.route.empty() && before.route != now.route;
    const bool lost =
        now.read && *now.read <= kTrivialShare * now.total.value_or(before.read.value_or(0) + 1);
    if (moved && lost)
      return FindingJson("ROUTE_CHANGED",
                         "request " + std::to_string(i + 1) + " was served by " + now.route + " instead of " +
                             before.route + " and reused nothing",
                         "", Json{{"from", before.route}, {"to", now.route}, {"step", i}});
  }
  return std::nullopt;
}

// One step whose prefix is known to be equal: alive, expired, or lost at the provider.
Found LostEntry(const Json& input, const Steps& steps) {
  const TraceStep& last = steps.back();
  const auto equal = FirstBool(input, {"prefix_equal", "identical", "bodies_equal", "prefix_identical"});
  auto gap = FirstNumber(input, {"gap_s", "gap_seconds"});
  if (!gap) gap = last.gap_s;
  if (!equal || !last.read) return std::nullopt;
  const auto basis = PromptOf(last);
  if (basis ? *basis > 0 && *last.read >= kHitShare * *basis : *last.read > kTrivialTokens)
    return FindingJson("OK_PARTIAL_HIT",
                       "reused " + Text(last.read) + " of " +
                           (basis ? NumberText(*basis) : std::string("an unknown number of")) + " tokens",
                       "", Json{{"cached", *last.read}});
  const auto ttl = FirstNumber(input, {"ttl_s", "ttl_seconds", "ttl"});
  const Json numbers{{"gap_s", OrNull(gap)}, {"ttl_s", OrNull(ttl)}, {"cached", *last.read}};
  if (!*equal) return Unconfirmed("the prefix differs; the two bodies show where", numbers);
  if (!gap || !ttl) return std::nullopt;
  if (*gap > *ttl)
    return FindingJson("TTL_EXPIRED",
                       "the gap of " + Text(gap) + " s is longer than the entry's " + Text(ttl) + " s", "",
                       numbers);
  return FindingJson(
      "UNEXPLAINED_SERVER_SIDE",
      "the prefix is equal and the gap of " + Text(gap) + " s is within the entry's " + Text(ttl) + " s",
      StringAt(input, "backend").value_or(""), numbers);
}

// Constant reads of at least three turns, ending at the last one, while writes (or uncached input) grow
// strictly.
Found FrozenRead(const Steps& steps) {
  std::size_t run = 1;
  const auto grows = [&](const TraceStep& now, const TraceStep& next) {
    if (now.written && next.written && *next.written > *now.written) return true;
    const bool no_write = now.written.value_or(0) == 0 && next.written.value_or(0) == 0;
    return no_write && now.uncached && next.uncached && *next.uncached > *now.uncached;
  };
  for (std::size_t i = steps.size(); i-- > 1; ++run) {
    const TraceStep& now = steps[i - 1];
    const TraceStep& next = steps[i];
    if (!now.read || !next.read || *now.read != *next.read || *now.read <= 0 || !grows(now, next)) break;
  }
  if (run < 3) return std::nullopt;
  const double frozen = *steps.back().read;
  return FindingJson("BREAKPOINT_NOT_ADVANCING",
                     "the read stays at " + NumberText(frozen) + " tokens for " + std::to_string(run) +
                         " turns while the rest grows",
                     "", Json{{"frozen_at", frozen}, {"turns", run}});
}

// Equal requests, written each time or counted as zero each time, and never read.
Found NeverRead(const Json& input, const Steps& steps) {
  if (steps.size() < 2) return std::nullopt;
  const auto zero = [](const TraceStep& step) { return step.read && *step.read == 0; };
  if (!std::all_of(steps.begin(), steps.end(), zero)) return std::nullopt;
  const TraceStep& first = steps.front();
  const auto same = [&first](const TraceStep& step) {
    return step.written == first.written && step.total == first.total;
  };
  const bool equal = FirstBool(input, {"prefix_equal", "identical", "bodies_equal"}).value_or(false);
  if (!std::all_of(steps.begin(), steps.end(), same) && !equal) return std::nullopt;
  const double time = first.time_ms && steps.back().time_ms ? *steps.back().time_ms / *first.time_ms : 0;
  const bool timed = time > 0.8 && time < 1.25;
  if (first.written.value_or(0) <= 0 && !equal && !timed) return std::nullopt;
  Json numbers{{"written", OrNull(first.written)}, {"cached", 0}};
  if (time > 0) numbers["time_ratio"] = time;
  return FindingJson(
      "CACHE_NOT_FUNCTIONING",
      "equal requests were answered " + std::to_string(steps.size()) + " times and none read what was there",
      "", numbers);
}

Found NotReported(const Json& input, const Steps& steps) {
  const bool blind =
      std::none_of(steps.begin(), steps.end(), [](const TraceStep& step) { return step.read.has_value(); });
  if (!blind) return std::nullopt;
  const TraceStep& first = steps.front();
  const std::string backend = StringAt(input, "backend").value_or("");
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const TraceStep& step = steps[i];
    const bool same = step.total && step.total == first.total;
    if (same && step.time_ms && first.time_ms && *step.time_ms <= kFasterRatio * *first.time_ms)
      return FindingJson(
          "REPORTING_OFF_TIMING_SUGGESTS_HIT",
          "reuse is not reported; inferred from timing: " + Text(first.time_ms) + " ms, then " +
              Text(step.time_ms) + " ms",
          backend, Json{{"cached", nullptr}, {"first_ms", *first.time_ms}, {"later_ms", *step.time_ms}});
  }
  return FindingJson("REPORTING_OFF", "no reply reports reused tokens, which is not zero", backend,
                     Json{{"cached", nullptr}});
}

Json Rest(const Steps& steps) {
  const TraceStep& last = steps.back();
  const auto basis = PromptOf(last);
  const Json numbers{{"cached", OrNull(last.read)}, {"prompt", OrNull(last.total)}};
  if (last.read && *last.read > (basis ? 0 : kTrivialTokens) &&
      *last.read >= kTrivialShare * basis.value_or(*last.read))
    return FindingJson("OK_PARTIAL_HIT", "the last reply reused " + Text(last.read) + " tokens", "", numbers);
  return Unconfirmed("the replies alone do not name a cause", numbers);
}

}  // namespace

Json DiagnoseReplyTrace(const Json& input) {
  const ReplyTrace trace = ReadReplyTrace(input);
  if (trace.steps.empty()) return Unconfirmed("the trace holds no reply");
  if (auto found = Slots(trace)) return *found;
  if (auto found = Snapshots(trace.steps)) return *found;
  if (auto found = Route(trace.steps)) return *found;
  if (auto found = LostEntry(input, trace.steps)) return *found;
  if (auto found = FrozenRead(trace.steps)) return *found;
  if (auto found = NeverRead(input, trace.steps)) return *found;
  if (auto found = NotReported(input, trace.steps)) return *found;
  return Rest(trace.steps);
}

}  // namespace helix::consistency
