// Prefill against prompt length and overlap, the cost model through the points, and how much of the bound was
// got.
#pragma once
#include "core/tracks/workload/session.h"

namespace helix::tracks {

struct SweepOptions {
  int longest_prompt = 2048;  // tokens
  int pairs = 6;              // of one cold and one warm call per cell; fewer than 6 give no interval
  int output_tokens = 16;
  std::uint64_t seed = 1;
};

// {"verdict", "reason", "cells": [{n, u, overlap, off, on, prefill_ratio, skip_bound, fraction_of_bound,
// end_to_end_ratio, end_to_end_bound, model_ratio}], "model": {...}}. A pair whose cold call reused anything
// or whose warm call did not reuse its prefix is counted as mislabelled and left out.
Result<Json> RunSweep(PredictedServer& server, const SweepOptions& options, const RunContext& context);

}  // namespace helix::tracks
