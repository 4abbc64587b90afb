// Group C, what no machine and no cache can do.
#include <algorithm>
#include <cmath>

#include "core/analysis/checks/clock_checks.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {
namespace {

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

}  // namespace

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

namespace {

bool Speculative(const CheckInput& in) {
  const Json& backend = in.report.Backend();
  return BoolAt(backend, "speculative").value_or(false) ||
         BoolAt(backend, "flags/speculative").value_or(false);
}

}  // namespace

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

}  // namespace helix::analysis::checks
