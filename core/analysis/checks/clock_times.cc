// Group C, whether the times are those of one sound clock.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/analysis/checks/clock_checks.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {
namespace {

bool BootedInsideRun(const CheckInput& in) {
  auto boot = NumberAt(in.report.Backend(), "t_boot_ns");
  auto plan = NumberAt(*in.report.root, "t_plan_ns");
  return boot && plan && *boot >= *plan;
}

}  // namespace

void FirstSampleSlow(const CheckInput& in, Reporter& out) {
  bool missing = false;
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    const SampleView* first = nullptr;
    std::vector<double> all;
    for (std::size_t i : *rows) {
      const SampleView& s = in.report.at(i);
      if (!s.ok() || !HasTtft(s)) continue;
      if (first == nullptr) first = &s;
      all.push_back(s.ttft_ns);
    }
    if (all.size() < 3) {
      missing = true;
      continue;
    }
    double middle = *Median(all);
    double mad = std::max(*MedianAbsoluteDeviation(all), 1e-9 * middle);
    double rest = *std::max_element(all.begin() + 1, all.end());
    double x = first->ttft_ns;
    if (!(0.6745 * (x - middle) / mad > 10 && x > 1.5 * middle && x > 1.3 * rest)) continue;
    out.FindAs(BootedInsideRun(in) ? Severity::kFail : Severity::kWarn, first->Pointer("client/ttft_ns"),
               Text(x), "near the arm's median " + Text(middle),
               "plan a warm-up pair and discard it by plan");
  }
  if (missing) out.Missing("client/ttft_ns");
}

namespace {

double ServerTime(const SampleView& s) {
  return s.prompt_ms + s.predicted_ms;
}

}  // namespace

void ServerBeyondClient(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.prompt_ms) && (HasTtft(s) || Has(s.total_ns)); };
  EachSample(in, out, "server/prompt_ms", has, [&](const SampleView& s) {
    double ttft = s.ttft_ns / 1e6;
    double total = s.total_ns / 1e6;
    if (s.prompt_ms > ttft * 1.02 + 2) {
      out.Find(s.Pointer("server/prompt_ms"), Text(s.prompt_ms) + " ms",
               "within the client's TTFT of " + Text(ttft) + " ms",
               "the client's clock is wrong, or these are different requests");
    } else if (ServerTime(s) > total * 1.02 + 2) {
      out.Find(s.Pointer("server/predicted_ms"), Text(ServerTime(s)) + " ms",
               "within the client's total of " + Text(total) + " ms",
               "the client's clock is wrong, or these are different requests");
    }
  });
}

void TotalBelowTtft(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return HasTtft(s) && Has(s.total_ns); };
  EachSample(in, out, "client/total_ns", has, [&](const SampleView& s) {
    if (s.total_ns >= s.ttft_ns) return;
    out.Find(s.Pointer("client/total_ns"), Text(s.total_ns), "at least ttft_ns = " + Text(s.ttft_ns),
             "take both from one clock and one request");
  });
}

namespace {

// Neighbouring rows in seq order, of every arm, that have a send time.
template <typename Test>
void EachStep(const CheckInput& in, Reporter& out, Test test) {
  const SampleView* previous = nullptr;
  bool missing = in.report.samples.empty();
  for (std::size_t i : SeqOrder(in.report)) {
    const SampleView& s = in.report.at(i);
    if (!Has(s.t_send_ns)) {
      missing |= s.ok();
      continue;
    }
    if (previous != nullptr) test(*previous, s);
    previous = &s;
  }
  if (missing) out.Missing("client/t_send_ns");
}

}  // namespace

void ClockBackwards(const CheckInput& in, Reporter& out) {
  EachStep(in, out, [&](const SampleView& a, const SampleView& b) {
    if (b.t_send_ns >= a.t_send_ns) return;
    out.Find(b.Pointer("client/t_send_ns"), Text(b.t_send_ns),
             "not before the call ahead of it, " + Text(a.t_send_ns),
             "use a monotonic clock; the wall clock can be stepped");
  });
}

void UnitConfusion(const CheckInput& in, Reporter& out) {
  std::vector<double> ratios;
  auto has = [](const SampleView& s) { return HasTtft(s) && Has(s.prompt_ms); };
  EachSample(in, out, "server/prompt_ms", has, [&](const SampleView& s) {
    if (s.arm == Arm::kOff && s.prompt_ms > 0) ratios.push_back(s.ttft_ns / 1e6 / s.prompt_ms);
  });
  auto ratio = Median(ratios);
  if (!ratio) return;
  bool thousand = *ratio >= 300 && *ratio <= 3000;
  bool million = *ratio >= 3e5 && *ratio <= 3e6;
  if (!thousand && !million) return;
  out.Find("/samples", "the client's times are " + Text(*ratio) + " times the server's",
           "milliseconds on both sides",
           "prompt_ms is in milliseconds, ttft_ns in nanoseconds: convert before writing");
}

namespace {

bool Coarse(const std::vector<double>& values, double* step) {
  if (values.size() < 3) return false;
  std::int64_t g = 0;
  double least = HUGE_VAL;
  for (double v : values) {
    if (!(v > 0) || v > 9e15) return false;
    if (g != 1) g = std::gcd(g, std::llround(v));
    least = std::min(least, v);
  }
  *step = static_cast<double>(g);
  return g > 0 && least / *step < 100;
}

}  // namespace

void ClockTooCoarse(const CheckInput& in, Reporter& out) {
  for (const auto& [member, name] :
       {std::pair(&SampleView::ttft_ns, "ttft_ns"), std::pair(&SampleView::total_ns, "total_ns")}) {
    for (const auto* rows : {&in.report.off, &in.report.on}) {
      auto values = FinishedValues(in, *rows, member);
      double step = 0;
      if (values.empty()) out.Missing(std::string("client/") + name);
      if (!Coarse(values, &step)) continue;
      out.Find("/samples",
               std::string(name) + " is a multiple of " + Text(step) +
                   " ns, more than a hundredth of the shortest",
               "a clock at least 100 times finer than what it measures", "use a monotonic nanosecond clock");
    }
  }
}

void NonPositive(const CheckInput& in, Reporter& out) {
  for (const auto& bad : in.report.malformed) {
    out.Find(bad.pointer, bad.seen, "a value of the field's type",
             "write numbers as JSON numbers and leave out what is not known");
  }
  static constexpr std::pair<double SampleView::*, const char*> kTimes[] = {
      {&SampleView::ttft_ns, "client/ttft_ns"},
      {&SampleView::total_ns, "client/total_ns"},
      {&SampleView::prompt_ms, "server/prompt_ms"},
      {&SampleView::predicted_ms, "server/predicted_ms"}};
  for (const auto& [member, name] : kTimes) {
    bool client = std::string_view(name).substr(0, 6) == "client";
    bool some = std::any_of(in.report.sequence.begin(), in.report.sequence.end(),
                            [&, m = member](std::size_t i) { return Has(in.report.at(i).*m); });
    if (!some && client) out.Missing(name);
    for (std::size_t i : in.report.sequence) {
      const SampleView& s = in.report.at(i);
      double v = s.*member;
      bool absent = !Has(v);
      if (absent && (!some || !client)) continue;
      if (!absent && std::isfinite(v) &&
          (v > 0 || (member == &SampleView::predicted_ms && v == 0 && !(s.out_n > 1))))
        continue;
      out.Find(s.Pointer(name), absent ? "nothing" : Text(v), "a duration above 0, as in the other calls",
               "a call without a time did not finish: give it another status");
    }
  }
}

namespace {

bool Sequential(const CheckInput& in) {
  return NumberAt(in.report.Plan(), "concurrency").value_or(1) <= 1;
}

}  // namespace

void Overlap(const CheckInput& in, Reporter& out) {
  EachStep(in, out, [&](const SampleView& a, const SampleView& b) {
    if (!Sequential(in) || !Has(a.total_ns) || b.t_send_ns < a.t_send_ns ||
        b.t_send_ns >= a.t_send_ns + a.total_ns)
      return;
    out.Find(b.Pointer("client/t_send_ns"), Text(b.t_send_ns),
             "not before the call ahead ended, " + Text(a.t_send_ns + a.total_ns),
             "send one request at a time, or say so in plan.concurrency");
  });
}

void SumBeyondWall(const CheckInput& in, Reporter& out) {
  auto wall = NumberAt(*in.report.root, "wall_ns");
  if (!wall) return out.Missing("wall_ns");
  double sum = 0;
  for (const auto& s : in.report.samples) sum += Has(s.total_ns) ? s.total_ns : 0;
  if (in.report.samples.empty()) return out.Missing("samples");
  if (!Sequential(in) || sum <= *wall) return;
  out.Find("/wall_ns", Text(*wall), "at least the sum of all calls, " + Text(sum),
           "the run took less time than its calls: one of them is wrong");
}

void TtftNotFirstToken(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.ttft_event); };
  EachSample(in, out, "client/ttft_event", has, [&](const SampleView& s) {
    if (s.ttft_event == "first_token") return;
    out.Find(s.Pointer("client/ttft_event"), std::string(s.ttft_event), "first_token",
             "headers, role deltas and pings are not tokens: stop the clock at the first token");
  });
}

void ClockMixed(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.clock_id) || s.clock_ids != nullptr; };
  std::string_view run;
  EachSample(in, out, "client/clock_id", has, [&](const SampleView& s) {
    std::set<std::string> ids;
    if (Has(s.clock_id)) ids.insert(std::string(s.clock_id));
    if (s.clock_ids != nullptr && s.clock_ids->is_object()) {
      for (const auto& id : *s.clock_ids) {
        if (id.is_string()) ids.insert(id.get<std::string>());
      }
    }
    if (!Has(run)) run = s.clock_id;
    bool other = Has(s.clock_id) && Has(run) && s.clock_id != run;
    if (ids.size() <= 1 && !other) return;
    out.Find(s.Pointer("client/clock_id"),
             other ? std::string(s.clock_id) : "times of two clocks in one call", "one clock",
             "never subtract a server's time from a client's");
  });
}

namespace {

double Seconds(double t) {
  return t > 1e17 ? t / 1e9 : t > 1e11 ? t / 1e3 : t;
}

}  // namespace

void ImplausibleTimestamp(const CheckInput& in, Reporter& out) {
  const Json& root = *in.report.root;
  auto plan = NumberAt(root, "plan/created_unix");
  auto now = NumberAt(root, "created_unix");
  auto start = NumberAt(root, "started_unix_ns");
  auto end = NumberAt(root, "ended_unix_ns");
  auto wall = NumberAt(root, "wall_ns");
  if (start && end && wall && !Near(*end - *start, *wall, 0.05)) {
    out.Find("/wall_ns", Text(*wall), "within 5 % of the wall clock's span, " + Text(*end - *start),
             "the wall clock was stepped during the run");
  }
  bool any = false;
  for (const auto& s : in.report.samples) {
    if (!Has(s.created)) continue;
    any = true;
    double t = Seconds(s.created);
    // A server's clock can be a few seconds off; a day is another matter.
    bool early = plan && t < Seconds(*plan) - 60;
    bool late = now && t > Seconds(*now) + 60;
    if (!early && !late) continue;
    out.Find(s.Pointer("server/created"), Text(s.created),
             early ? "after the plan" : "before the report was written",
             "this answer belongs to another run");
  }
  if (!any || (!plan && !now)) out.Missing("server/created");
}

}  // namespace helix::analysis::checks
