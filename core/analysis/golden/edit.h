// Short words for the recipes. They work on reports of GoldenReport alone, whose members are known to exist.
#pragma once
#include <cstdio>
#include <string>

#include "core/analysis/golden/golden.h"
#include "core/analysis/report_view.h"
#include "core/analysis/statistics.h"

namespace helix::analysis::edit {

template <typename F>
void Each(Json& report, const char* arm, F change) {
  int i = 0;
  for (auto& sample : report["samples"]) {
    if (sample["arm"] == arm) change(sample, i++);
  }
}
template <typename F>
void All(Json& report, F change) {
  int i = 0;
  for (auto& sample : report["samples"]) change(sample, i++);
}
// Every sample of an arm: sample[group][field] = value.
inline void Set(Json& report, const char* arm, const char* group, const char* field, const Json& value) {
  Each(report, arm, [&](Json& s, int) { s[group][field] = value; });
}
inline void SetAll(Json& report, const char* group, const char* field, const Json& value) {
  All(report, [&](Json& s, int) { s[group][field] = value; });
}
// The i-th sample of an arm.
inline Json& Nth(Json& report, const char* arm, int i) {
  for (auto& sample : report["samples"]) {
    if (sample["arm"] == arm && i-- == 0) return sample;
  }
  return report["samples"][0];
}
inline Json& EqPair(Json& report, int i) {
  return report["equivalence"]["pairs"][static_cast<std::size_t>(i)];
}
template <typename F>
void EachEq(Json& report, F change) {
  for (auto& pair : report["equivalence"]["pairs"]) change(pair);
}
inline double Num(const Json& sample, const char* group, const char* field) {
  return sample[group][field].get<double>();
}
// A time in ms or ns, kept to the precision that it has.
inline void Scale(Json& sample, const char* group, const char* field, double factor) {
  double v = Num(sample, group, field) * factor;
  if (std::string_view(group) == "client") {
    sample[group][field] = static_cast<std::int64_t>(v);
  } else {
    sample[group][field] = v;
  }
}
// Adds to the TTFT and the total of one call, in ns.
inline void Delay(Json& sample, std::int64_t ns) {
  sample["client"]["ttft_ns"] = sample["client"]["ttft_ns"].get<std::int64_t>() + ns;
  sample["client"]["total_ns"] = sample["client"]["total_ns"].get<std::int64_t>() + ns;
}
// Multiplies the server's prefill and the TTFT of a call; the decode phase stays.
inline void ScalePrefill(Json& sample, double factor) {
  auto before = sample["client"]["ttft_ns"].get<std::int64_t>();
  auto after = static_cast<std::int64_t>(static_cast<double>(before) * factor);
  Delay(sample, after - before);
  Scale(sample, "server", "prompt_ms", factor);
}
// Lays the calls end to end again, after their times changed.
inline void Respace(Json& report) {
  std::int64_t t = 1'000'000'000'000;
  for (auto& sample : report["samples"]) {
    sample["client"]["t_send_ns"] = t;
    t += sample["client"]["total_ns"].get<std::int64_t>() + 3'000'000;
  }
  report["wall_ns"] = t - 1'000'000'000'000 + 40'000'000;
}
// The TTFT ratio of the samples as text, "16.3x".
inline std::string ShownRatio(const Json& report, int decimals) {
  char text[40];
  double ratio = StatisticsOf(ReadReport(report), {{42, 0}, 0}).ttft->ratio.value;
  std::snprintf(text, sizeof text, "%.*fx", decimals, ratio);
  return text;
}
// A cached count that fits the other counters.
inline void Reuse(Json& sample, int cached) {
  sample["server"]["cached_n"] = cached;
  sample["server"]["processed_n"] = sample["server"]["prompt_tokens"].get<int>() - cached;
}

}  // namespace helix::analysis::edit
