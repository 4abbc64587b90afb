// The structured answer of bench_track_a: short, and with the same names over MCP and on the command line.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/analyze.h"
#include "core/experiment/sample.h"
#include "core/tracks/target.h"

namespace helix::tracks {

struct TrackAOutcome {
  const Target* target = nullptr;
  const std::vector<experiment::Sample>* samples = nullptr;
  const analysis::Analysis* analysis = nullptr;
  Json equivalence;
  std::string report_path;
  std::string report_sha256;
  std::string plan_sha256;
  std::string stopped_because;
};

// {verdict, synthetic, model, report_path, report_sha256, pairs, prefill_ratio, end_to_end_ratio,
// decode_ratio, skip_bound, off, on, equivalence, findings, ...}. A ratio is null without an interval, and
// every ratio is null unless both arms are what their labels say: a speed-up is built from two verified arms
// or not at all.
Json TrackAResult(const TrackAOutcome& outcome);

// What a reader must see first when the weights are random.
extern const char kSyntheticWeightsNotice[];

}  // namespace helix::tracks
