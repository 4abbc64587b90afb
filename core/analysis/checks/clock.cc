// Group C: clock and physics.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/analysis/signed_rank.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

using Member = double SampleView::*;

bool HasTtft(const SampleView& s) {
  return Has(s.ttft_ns);
}

std::vector<double> Finished(const CheckInput& in, const std::vector<std::size_t>& rows, Member member) {
  std::vector<double> out;
  for (std::size_t i : rows) {
    const SampleView& s = in.report.at(i);
    if (s.ok() && Has(s.*member)) out.push_back(s.*member);
  }
  return out;
}

// A total ratio whose gain is mostly in the decode phase.
bool GainIsInDecode(const CheckInput& in) {
  std::vector<double> before;
  std::vector<double> after;
  for (const auto& pair : in.report.pairs) {
    const SampleView& off = in.report.at(pair.off);
    const SampleView& on = in.report.at(pair.on);
    before.push_back(off.ttft_ns - on.ttft_ns);
    after.push_back((off.total_ns - off.ttft_ns) - (on.total_ns - on.ttft_ns));
  }
  auto prefill = Median(before);
  auto decode = Median(after);
  return prefill && decode && *decode > std::max(0.0, *prefill);
}

bool DecodeDiffers(const CheckInput& in) {
  const auto& r = in.statistics.decode;
  return r && r->ratio.has_interval && (r->ratio.ci_low > 1.10 || r->ratio.ci_high < 1 / 1.10);
}

void DecodeRateDiffers(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.decode;
  if (!r || !r->ratio.has_interval) return out.Missing("server/predicted_ms");
  if (!DecodeDiffers(in) || in.metric == "total") return;
  out.Find("/samples",
           "decode time per token off/on between " + Text(r->ratio.ci_low) + " and " + Text(r->ratio.ci_high),
           "an interval that meets 0.909 to 1.10",
           "a prefix cache cannot change decoding: look for the other difference");
}

void DecodeSpeedupCredited(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.decode;
  if (!r || !r->ratio.has_interval) return out.Missing("server/predicted_ms");
  if (in.metric != "total" || !(DecodeDiffers(in) || (GainIsInDecode(in) && r->ratio.ci_low > 1.10))) return;
  out.Find("/claim",
           "the claim is about the total, and decoding differs: off/on at least " + Text(r->ratio.ci_low),
           "a gain that lies before the first token", "claim the TTFT, and explain the decode time apart");
}

void ConnectionSetup(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::conn_reused, "client/conn_reused", "use an open connection in both calls");
}

bool BootedInsideRun(const CheckInput& in) {
  auto boot = NumberAt(in.report.Backend(), "t_boot_ns");
  auto plan = NumberAt(*in.report.root, "t_plan_ns");
  return boot && plan && *boot >= *plan;
}

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

double ServerTime(const SampleView& s) {
  return s.prompt_ms + s.predicted_ms;
}

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

bool Coarse(const std::vector<double>& values, double* step) {
  if (values.size() < 3) return false;
  std::int64_t g = 0;
  double least = HUGE_VAL;
  for (double v : values) {
    if (!(v > 0) || v > 9e15) return false;
    g = std::gcd(g, std::llround(v));
    least = std::min(least, v);
  }
  *step = static_cast<double>(g);
  return g > 0 && least / *step < 100;
}

void ClockTooCoarse(const CheckInput& in, Reporter& out) {
  for (const auto& [member, name] :
       {std::pair(&SampleView::ttft_ns, "ttft_ns"), std::pair(&SampleView::total_ns, "total_ns")}) {
    for (const auto* rows : {&in.report.off, &in.report.on}) {
      auto values = Finished(in, *rows, member);
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
  static constexpr std::pair<Member, const char*> kTimes[] = {
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

void BelowRttFloor(const CheckInput& in, Reporter& out) {
  auto floor = NumberAt(in.report.Env(), "rtt_floor_ns");
  if (!floor) return out.Missing("env/rtt_floor_ns");
  EachSample(in, out, "client/ttft_ns", HasTtft, [&](const SampleView& s) {
    if (s.ttft_ns >= *floor) return;
    out.Find(s.Pointer("client/ttft_ns"), Text(s.ttft_ns),
             "at least the network's round trip, " + Text(*floor),
             "nothing can answer before the request arrives: check where the clock starts");
  });
}

void PrefillBelowFlops(const CheckInput& in, Reporter& out) {
  auto flops = NumberAt(in.report.Env(), "hw/peak_flops");
  auto params = NumberAt(in.report.Backend(), "model/n_params");
  if (!flops || *flops <= 0) return out.Missing("env/hw/peak_flops");
  if (!params) return out.Missing("backend/model/n_params");
  auto has = [](const SampleView& s) { return HasTtft(s) && Has(s.prompt_tokens) && Has(s.cached_n); };
  EachSample(in, out, "client/ttft_ns", has, [&](const SampleView& s) {
    double floor = 0.5 * 2 * *params * (s.prompt_tokens - s.cached_n) / *flops * 1e9;
    if (s.ttft_ns >= floor) return;
    out.Find(s.Pointer("client/ttft_ns"), Text(s.ttft_ns),
             "at least " + Text(std::round(floor)) + " ns for the tokens evaluated",
             "the counter or the clock is wrong: this machine cannot multiply that fast");
  });
}

bool Speculative(const CheckInput& in) {
  const Json& backend = in.report.Backend();
  return BoolAt(backend, "speculative").value_or(false) ||
         BoolAt(backend, "flags/speculative").value_or(false);
}

void DecodeBelowBandwidth(const CheckInput& in, Reporter& out) {
  auto bandwidth = NumberAt(in.report.Env(), "hw/mem_bw");
  auto bytes = NumberAt(in.report.Backend(), "model/active_bytes");
  if (!bandwidth || *bandwidth <= 0) return out.Missing("env/hw/mem_bw");
  if (!bytes) return out.Missing("backend/model/active_bytes");
  double floor = 0.5 * *bytes / *bandwidth * 1e9;
  auto has = [](const SampleView& s) { return HasTtft(s) && Has(s.total_ns) && Has(s.out_n); };
  EachSample(in, out, "client/total_ns", has, [&](const SampleView& s) {
    if (s.out_n <= 1 || Speculative(in)) return;
    double per_token = (s.total_ns - s.ttft_ns) / (s.out_n - 1);
    if (per_token >= floor) return;
    out.Find(s.Pointer("client/total_ns"), Text(std::round(per_token)) + " ns a token",
             "at least " + Text(std::round(floor)) + " ns",
             "every token reads all active weights: this memory cannot do that so fast");
  });
}

bool Sequential(const CheckInput& in) {
  return NumberAt(in.report.Plan(), "concurrency").value_or(1) <= 1;
}

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

// A cost on one side of the pair: recorded in one arm only, or different beyond chance and 1 % of the TTFT.
void AsymmetricCost(const CheckInput& in, Reporter& out, Member member, double to_ns, const char* field,
                    const char* to_do) {
  std::vector<double> difference;
  std::size_t one_sided = 0;
  for (const auto& pair : in.report.pairs) {
    double off = in.report.at(pair.off).*member;
    double on = in.report.at(pair.on).*member;
    if (Has(off) && Has(on)) difference.push_back((off - on) * to_ns);
    if (Has(off) != Has(on)) ++one_sided;
  }
  if (one_sided > 0 && difference.empty()) {
    return out.Find("/samples", std::string(field) + " recorded in one arm only", "recorded in both", to_do);
  }
  if (difference.empty()) return out.Missing(field);
  auto hl = HodgesLehmannOf(difference, 0.001);
  double ttft = in.statistics.on.ttft_ms_p50.value_or(0) * 1e6;
  if (!hl || !hl->has_interval || (hl->low <= 0 && hl->high >= 0) || std::fabs(hl->estimate) <= 0.01 * ttft)
    return;
  out.Find("/samples",
           std::string(field) + " differs by " + Text(hl->estimate / 1e6) + " ms between the arms",
           "no difference", to_do);
}

void QueueAsymmetry(const CheckInput& in, Reporter& out) {
  AsymmetricCost(in, out, &SampleView::queue_ms, 1e6, "server/queue_ms",
                 "measure on an idle server, or report the queue apart");
}

void ClientWork(const CheckInput& in, Reporter& out) {
  AsymmetricCost(in, out, &SampleView::build_ns, 1, "client/t_build_ns",
                 "build the request before the clock starts, in both arms");
  for (const auto& pair : in.report.pairs) {
    if (in.report.at(pair.off).build_in_ttft == in.report.at(pair.on).build_in_ttft) continue;
    out.Find(in.report.at(pair.on).Pointer("client/build_in_ttft"),
             "the request's building is inside one arm's TTFT", "the same in both",
             "build the request before the clock starts, in both arms");
  }
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

double Seconds(double t) {
  return t > 1e17 ? t / 1e9 : t > 1e11 ? t / 1e3 : t;
}

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

constexpr double kDelayedAckMs = 40;

bool AllHaveTtft(const CheckInput& in) {
  return std::all_of(in.report.sequence.begin(), in.report.sequence.end(),
                     [&](std::size_t i) { return HasTtft(in.report.at(i)); });
}

// How many of the values lie 40 ms above the lowest group.
double ShareOfComb(std::vector<double> overhead) {
  std::sort(overhead.begin(), overhead.end());
  auto base = overhead[overhead.size() / 10];
  auto late = std::count_if(overhead.begin(), overhead.end(),
                            [&](double v) { return std::fabs(v - base - kDelayedAckMs) <= 2; });
  return static_cast<double>(late) / static_cast<double>(overhead.size());
}

void TransportArtefact(const CheckInput& in, Reporter& out) {
  std::vector<double> overhead;
  std::vector<double> difference;
  for (const auto& pair : in.report.pairs) {
    const SampleView& off = in.report.at(pair.off);
    const SampleView& on = in.report.at(pair.on);
    difference.push_back((off.ttft_ns - on.ttft_ns) / 1e6);
    if (Has(off.prompt_ms) && HasTtft(off)) overhead.push_back(off.ttft_ns / 1e6 - off.prompt_ms);
  }
  if (difference.size() < 5 || !AllHaveTtft(in)) return out.Missing("client/ttft_ns");
  auto at_forty = std::count_if(difference.begin(), difference.end(),
                                [](double v) { return std::fabs(v - kDelayedAckMs) <= 2; });
  bool cluster = static_cast<double>(at_forty) > 0.8 * static_cast<double>(difference.size());
  bool comb = overhead.size() >= 5 && ShareOfComb(overhead) >= 0.2;
  if (!cluster && !comb) return;
  out.Find("/samples",
           comb ? "off calls come in two groups, 40 ms apart beyond the server's own time"
                : "off and on differ by 40 ms",
           "no 40 ms steps",
           "delayed acknowledgement makes 40 ms: set TCP_NODELAY on both sides and measure again");
}

void FirstEventTokens(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::first_event_tokens, "client/tokens_in_first_event",
             "compare first events that carry the same number of tokens");
}

void PowerState(const CheckInput& in, Reporter& out) {
  auto off = Median(Finished(in, in.report.off, &SampleView::mhz));
  auto on = Median(Finished(in, in.report.on, &SampleView::mhz));
  if (!off || !on) return out.Missing("mhz");
  if (Near(*off, *on, 0.10)) return;
  out.Find("/samples", "off at " + Text(*off) + " MHz, on at " + Text(*on) + " MHz", "within 10 %",
           "warm the processor up before the first call");
}

}  // namespace

std::vector<Check> ClockChecks() {
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto declared = Absence::kDeclarable;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"C01", "decode_rate_differs", F, declared, "decoding differs, which no prefix cache can do",
       DecodeRateDiffers},
      {"C01", "decode_speedup_credited", F, declared, "a faster decode sold as a cache's gain",
       DecodeSpeedupCredited},
      {"C02", "conn_setup_asymmetry", F, declared, "connection set-up in one call of a pair",
       ConnectionSetup},
      {"C03", "first_sample_cold_start", W, declared,
       "the first call of an arm pays for loading (fail when the server booted in the run)", FirstSampleSlow},
      {"C04", "server_gt_client", F, declared, "the server's time exceeds the client's", ServerBeyondClient},
      {"C04", "total_lt_ttft", F, declared, "the total is below the TTFT", TotalBelowTtft},
      {"C05", "clock_backwards", F, need, "send times run backwards", ClockBackwards},
      {"C06", "unit_confusion", F, declared, "seconds, milliseconds or microseconds mixed up", UnitConfusion},
      {"C07", "clock_too_coarse", F, need, "the clock ticks too slowly for what it times", ClockTooCoarse},
      {"C08", "nonpositive_or_nan", F, declared, "a duration that is none", NonPositive},
      {"C09", "below_rtt_floor", F, declared, "faster than the network", BelowRttFloor},
      {"C10a", "prefill_below_flop_floor", F, declared, "faster than the arithmetic allows",
       PrefillBelowFlops},
      {"C10b", "decode_below_bandwidth_floor", F, declared, "faster than the memory allows",
       DecodeBelowBandwidth},
      {"C11", "overlap_in_sequential_plan", F, need, "calls overlap in a sequential plan", Overlap},
      {"C12", "sum_gt_wall", F, need, "more measured time than the run took", SumBeyondWall},
      {"C13", "ttft_not_first_token", F, declared, "TTFT taken at something that is no token",
       TtftNotFirstToken},
      {"C14", "queue_asymmetry", W, free, "queueing counted in one arm", QueueAsymmetry},
      {"C15", "client_work_in_one_arm", W, free, "the client's own work counted in one arm", ClientWork},
      {"C16", "clock_mixed", F, free, "times of two clocks subtracted", ClockMixed},
      {"C17", "implausible_timestamp", W, free, "an answer from before the plan or after the report",
       ImplausibleTimestamp},
      {"C18", "transport_artefact", W, declared, "40 ms of delayed acknowledgement sold as a gain",
       TransportArtefact},
      {"C19", "first_event_token_count_differs", F, free, "first events of different size", FirstEventTokens},
      {"C20", "power_state_differs", W, free, "the arms ran at different clock rates", PowerState},
  };
}

}  // namespace helix::analysis
