// Group D, what the times themselves look like.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/checks/claims.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/checks/statistics_checks.h"
#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/series.h"
#include "core/analysis/signed_rank.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {
namespace {

std::vector<double> Ttft(const CheckInput& in, const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  for (std::size_t i : rows) {
    const SampleView& s = in.report.at(i);
    if (s.ok() && Has(s.ttft_ns)) out.push_back(s.ttft_ns);
  }
  return out;
}

}  // namespace

void Drift(const CheckInput& in, Reporter& out) {
  const TimeSeries& s = in.statistics.series;
  if (s.n == 0) return out.Missing("client/ttft_ns");
  if (!(s.kendall_p < 0.001) || std::fabs(s.drift_log) <= std::log(1.05)) return;
  out.Find("/samples",
           "times changed by a factor of " + Text(std::exp(s.drift_log)) + " over the run (p " +
               Text(s.kendall_p) + ")",
           "within 5 %", "let the machine settle, then measure again");
}

void OrderEffect(const CheckInput& in, Reporter& out) {
  const TimeSeries& s = in.statistics.series;
  if (!s.order_p) return out.Missing("client/ttft_ns");
  if (!(*s.order_p < 0.001) || std::fabs(*s.order_effect) <= std::log(1.02)) return;
  out.Find("/samples",
           "the second call of a pair takes " + Text(std::exp(*s.order_effect)) + " times as long (p " +
               Text(*s.order_p) + ")",
           "within 2 %", "wait between calls, or measure each arm on a server of its own");
}

void AutocorrelationIgnored(const CheckInput& in, Reporter& out) {
  const TimeSeries& s = in.statistics.series;
  if (s.n == 0) return out.Missing("client/ttft_ns");
  if (!(s.ljung_box_p < 0.001) || std::fabs(s.r1) <= 1.96 / std::sqrt(static_cast<double>(s.n))) return;
  out.Find("/samples", "neighbouring calls agree: r1 " + Text(s.r1) + " (p " + Text(s.ljung_box_p) + ")",
           "independent calls",
           "the interval is too narrow: count " + Text(std::floor(s.effective_n)) +
               " independent calls, or space the calls");
}

namespace {

constexpr std::size_t kJitterRows = 10'000;  // beyond, equal server times happen by chance

// The server's own times repeated to the microsecond, and the client's to a microsecond's difference: a
// copied row whose nanoseconds were touched.
void CopiesWithJitter(const CheckInput& in, Reporter& out) {
  for (const auto* arm : {&in.report.off, &in.report.on}) {
    std::vector<std::size_t> rows;
    for (std::size_t i : *arm) {
      const SampleView& s = in.report.at(i);
      if (s.ok() && s.prompt_ms > 0 && s.predicted_ms > 0 && s.ttft_ns > 0) rows.push_back(i);
    }
    if (rows.size() > kJitterRows) continue;
    auto key = [&](std::size_t i) {
      const SampleView& s = in.report.at(i);
      return std::tuple(s.prompt_ms, s.predicted_ms, s.ttft_ns);
    };
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t k = 1; k < rows.size(); ++k) {
      const SampleView& a = in.report.at(rows[k - 1]);
      const SampleView& b = in.report.at(rows[k]);
      bool same_server = a.prompt_ms == b.prompt_ms && a.predicted_ms == b.predicted_ms;
      bool same_client = a.ttft_ns == b.ttft_ns && a.total_ns == b.total_ns;  // said by DuplicateRows itself
      if (!same_server || same_client || std::fabs(a.ttft_ns - b.ttft_ns) > 1000) continue;
      out.Find(b.Pointer("client/ttft_ns"),
               "the server's times of another call and its TTFT within a microsecond", "times of its own",
               "do not copy rows; measure as many pairs as you report");
    }
  }
}

}  // namespace

void DuplicateRows(const CheckInput& in, Reporter& out) {
  std::set<std::pair<double, double>> seen[2];
  auto has = [](const SampleView& s) { return Has(s.ttft_ns) && Has(s.total_ns); };
  std::vector<std::uint64_t> keys;
  keys.reserve(in.report.sequence.size());
  EachSample(in, out, "client/total_ns", has,
             [&](const SampleView& s) { keys.push_back(HashOf(s.ttft_ns, s.total_ns)); });
  CopiesWithJitter(in, out);
  if (!HoldsRepeats(std::move(keys))) return;
  EachSample(in, out, "client/total_ns", has, [&](const SampleView& s) {
    if (seen[s.arm == Arm::kOn ? 1 : 0].emplace(s.ttft_ns, s.total_ns).second) return;
    out.Find(s.Pointer("client"), "ttft_ns and total_ns of an earlier call, to the nanosecond",
             "times of its own", "do not copy rows; measure as many pairs as you report");
  });
}

void VarianceTooLow(const CheckInput& in, Reporter& out) {
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    std::vector<double> logs;
    for (double v : Ttft(in, *rows)) {
      if (v > 0) logs.push_back(std::log(v));
    }
    if (logs.size() < 3) {
      out.Missing("client/ttft_ns");
      continue;
    }
    double sd = *StandardDeviation(logs);
    if (sd >= 1e-4) continue;
    out.Find("/samples",
             std::string(rows == &in.report.off ? "off" : "on") + " times vary by " + Text(sd) + " in ln",
             "at least 0.0001; real calls vary more", "record every call's own time");
  }
}

void RoundNumbers(const CheckInput& in, Reporter& out) {
  std::size_t n = 0;
  std::size_t round = 0;
  auto has = [](const SampleView& s) { return Has(s.ttft_ns); };
  EachSample(in, out, "client/ttft_ns", has, [&](const SampleView& s) {
    ++n;
    if (std::fmod(s.ttft_ns, 1e6) == 0) ++round;
  });
  if (n < 4 || 2 * round <= n) return;
  out.Find("/samples", std::to_string(round) + " of " + std::to_string(n) + " times are whole milliseconds",
           "nanoseconds", "record the clock's own value, unrounded");
}

void ConstantRatio(const CheckInput& in, Reporter& out) {
  const auto& r = in.statistics.ttft;
  if (!r || r->pairs < 3) return out.Missing("client/ttft_ns");
  if (!r->sd_log || *r->sd_log >= 1e-4) return;
  out.Find("/samples", "off/on is the same in every pair, within " + Text(*r->sd_log) + " in ln",
           "two measurements with noise of their own", "one arm is a scaled copy of the other: measure both");
}

namespace {

bool Arithmetic(const std::vector<double>& x) {
  if (x.size() < 5 || x[1] == x[0]) return false;
  for (std::size_t i = 2; i < x.size(); ++i) {
    if (std::fabs(x[i] - 2 * x[i - 1] + x[i - 2]) > 2) return false;
  }
  return true;
}

// Correlation of the sorted values with normal scores (Shapiro-Francia W') above 0.9999.
bool PerfectlyNormal(std::vector<double> x) {
  // Of many values even a true sample follows its curve this closely.
  if (x.size() < 10 || x.size() > 500) return false;
  std::sort(x.begin(), x.end());
  double mean = Mean(x);
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double score = NormalQuantile((static_cast<double>(i) + 0.625) / (static_cast<double>(x.size()) + 0.25));
    xy += (x[i] - mean) * score;
    xx += (x[i] - mean) * (x[i] - mean);
    yy += score * score;
  }
  return xx > 0 && xy * xy / (xx * yy) > 0.9999;
}

}  // namespace

void ArithmeticSequence(const CheckInput& in, Reporter& out) {
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    auto values = Ttft(in, *rows);
    if (values.size() < 5) {
      out.Missing("client/ttft_ns");
      continue;
    }
    bool steps = Arithmetic(values);
    if (!steps && !PerfectlyNormal(values)) continue;
    out.Find("/samples",
             steps ? "times rise by the same step from call to call"
                   : "times follow a normal curve without any deviation",
             "measured times", "a program made these numbers: measure");
  }
}

namespace {

std::vector<double> NoiseLogs(const CheckInput& in) {
  std::map<double, double> again;
  for (const auto& s : in.report.samples) {
    if (s.arm == Arm::kOffAa && s.ok() && s.warmup != Flag::kTrue && s.ttft_ns > 0) again[s.pair] = s.ttft_ns;
  }
  std::vector<double> out;
  for (std::size_t i : in.report.off) {
    const SampleView& s = in.report.at(i);
    auto it = again.find(s.pair);
    if (s.ok() && it != again.end() && s.ttft_ns > 0) out.push_back(std::log(s.ttft_ns / it->second));
  }
  return out;
}

}  // namespace

void NoiseFloorIgnored(const CheckInput& in, Reporter& out) {
  auto logs = NoiseLogs(in);
  auto wide = HodgesLehmannOf(logs, 0.001);
  auto usual = HodgesLehmannOf(logs, 0.05);
  std::optional<double> half;
  if (usual && usual->has_interval) half = (usual->high - usual->low) / 2;
  if (auto stated = NumberAt(in.report.Claim(), "noise_floor"); stated && *stated > 1)
    half = std::max(half.value_or(0), std::log(*stated));
  if (!half) return out.Missing("samples of arm off_aa");
  if (wide && wide->has_interval && (wide->low > 0 || wide->high < 0) &&
      std::fabs(wide->estimate) > std::log(1.02)) {
    out.Find("/samples", "off against off differs by a factor of " + Text(std::exp(wide->estimate)),
             "1 within 2 %",
             "this environment is not fit for a measurement: find out why equal calls differ");
  }
  auto claim = ClaimedSpeedup(in);
  if (!claim || *claim <= 0 || !ClaimsDifference(in) || std::fabs(std::log(*claim)) > *half) return;
  out.Find(ClaimPointer(in), Text(*claim), "an effect beyond the noise floor of " + Text(std::exp(*half)),
           "equal calls differ as much: claim nothing");
}

}  // namespace helix::analysis::checks
