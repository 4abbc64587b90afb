// Group C, costs that only one arm carries.
#include <algorithm>
#include <cmath>

#include "core/analysis/checks/clock_checks.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/analysis/signed_rank.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

void ConnectionSetup(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::conn_reused, "client/conn_reused", "use an open connection in both calls");
}

namespace {

// A cost on one side of the pair: recorded in one arm only, or different beyond chance and 1 % of the TTFT.
void AsymmetricCost(const CheckInput& in, Reporter& out, double SampleView::*member, double to_ns,
                    const char* field, const char* to_do) {
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
  const auto ttft_ms = in.statistics.on.ttft_ms_p50;
  if (!ttft_ms) return out.Missing("client/ttft_ns");
  double ttft = *ttft_ms * 1e6;
  if (!hl || !hl->has_interval || (hl->low <= 0 && hl->high >= 0) || std::fabs(hl->estimate) <= 0.01 * ttft)
    return;
  out.Find("/samples",
           std::string(field) + " differs by " + Text(hl->estimate / 1e6) + " ms between the arms",
           "no difference", to_do);
}

}  // namespace

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

namespace {

constexpr double kDelayedAckMs = 40;

bool AllHaveTtft(const CheckInput& in) {
  return std::all_of(in.report.sequence.begin(), in.report.sequence.end(),
                     [&](std::size_t i) { return HasTtft(in.report.at(i)); });
}

// How many of the values lie 40 ms above the lowest group.
double ShareOfComb(std::vector<double> overhead) {
  auto tenth = overhead.begin() + static_cast<std::ptrdiff_t>(overhead.size() / 10);
  std::nth_element(overhead.begin(), tenth, overhead.end());
  auto base = *tenth;
  auto late = std::count_if(overhead.begin(), overhead.end(),
                            [&](double v) { return std::fabs(v - base - kDelayedAckMs) <= 2; });
  return static_cast<double>(late) / static_cast<double>(overhead.size());
}

}  // namespace

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
  auto off = Median(FinishedValues(in, in.report.off, &SampleView::mhz));
  auto on = Median(FinishedValues(in, in.report.on, &SampleView::mhz));
  if (!off || !on) return out.Missing("mhz");
  if (Near(*off, *on, 0.10)) return;
  out.Find("/samples", "off at " + Text(*off) + " MHz, on at " + Text(*on) + " MHz", "within 10 %",
           "warm the processor up before the first call");
}

}  // namespace helix::analysis::checks
