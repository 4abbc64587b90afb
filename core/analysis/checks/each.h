// Loops over the rows that a check looks at. A row without the field is never taken as zero: the check then
// says that it could not look, unless another row gives it a finding.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/checks/check.h"
#include "core/base/random.h"

namespace helix::analysis {

inline std::string Shown(double v) {
  return Text(v);
}
inline std::string Shown(std::string_view v) {
  return std::string(v.substr(0, 80));
}
inline std::string Shown(Flag v) {
  return v == Flag::kTrue ? "true" : "false";
}

inline bool HasCached(const SampleView& s) {
  return Has(s.cached_n);
}
inline bool HasTtft(const SampleView& s) {
  return Has(s.ttft_ns);
}

// That number of the finished calls among `rows`, where they have it.
inline std::vector<double> FinishedValues(const CheckInput& in, const std::vector<std::size_t>& rows,
                                          double SampleView::*member) {
  std::vector<double> out;
  for (std::size_t i : rows) {
    const SampleView& s = in.report.at(i);
    if (s.ok() && Has(s.*member)) out.push_back(s.*member);
  }
  return out;
}

// The finished, measured off and on samples that have the field.
template <typename HasField, typename Test>
void EachSample(const CheckInput& in, Reporter& out, const char* field, HasField has, Test test) {
  bool missing = in.report.sequence.empty();
  for (std::size_t i : in.report.sequence) {
    const SampleView& s = in.report.at(i);
    if (has(s)) {
      test(s);
    } else {
      missing = true;
    }
  }
  if (missing) out.Missing(field);
}

// The finished pairs of which both calls have the field.
template <typename HasField, typename Test>
void EachPair(const CheckInput& in, Reporter& out, const char* field, HasField has, Test test) {
  bool missing = in.report.pairs.empty();
  for (const auto& pair : in.report.pairs) {
    const SampleView& off = in.report.at(pair.off);
    const SampleView& on = in.report.at(pair.on);
    if (has(off) && has(on)) {
      test(off, on);
    } else {
      missing = true;
    }
  }
  if (missing) out.Missing(field);
}

// A value that must be the same in both calls of a pair.
template <typename T>
void SameInPair(const CheckInput& in, Reporter& out, T SampleView::*member, const char* field,
                const char* to_do) {
  auto has = [=](const SampleView& s) { return Has(s.*member); };
  EachPair(in, out, field, has, [&](const SampleView& off, const SampleView& on) {
    if (off.*member == on.*member) return;
    out.Find(on.Pointer(field), "off " + Shown(off.*member) + ", on " + Shown(on.*member),
             "the same in both calls", to_do);
  });
}

// True when two of the keys are equal. Keys are hashes of what may be repeated: one pass over a million of
// them costs less than a set, and a set is needed only where this is true.
inline bool HoldsRepeats(std::vector<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}
inline std::uint64_t HashOf(std::string_view text) {
  return std::hash<std::string_view>()(text);
}
inline std::uint64_t HashOf(double a, double b) {
  auto mix = [](std::uint64_t x) { return SplitMix64(x).Next(); };
  return mix(mix(std::hash<double>()(a)) ^ std::hash<double>()(b));
}

// A prefix-cache hit: at least half of what was expected, or more than a cold call may have.
inline bool IsHit(const CheckInput& in, const SampleView& s) {
  return s.expected_cached > 0 ? s.cached_n >= s.expected_cached / 2 : s.cached_n > in.cold_allow;
}

// Relative difference within `tolerance`.
inline bool Near(double a, double b, double tolerance) {
  double scale = std::max(std::fabs(a), std::fabs(b));
  return std::fabs(a - b) <= tolerance * scale;
}

// True for servers that somebody else runs, told by backend.kind or backend.hosted.
bool IsHosted(const CheckInput& in);

}  // namespace helix::analysis
