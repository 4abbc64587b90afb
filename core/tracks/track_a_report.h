// The record of a Track A run as helix.report/1, before analysis adds what follows from the samples.
#pragma once
#include "core/experiment/runner.h"
#include "core/tracks/target.h"

namespace helix::tracks {

struct TrackARecord {
  const Target* target = nullptr;
  const experiment::Plan* plan = nullptr;
  const experiment::RunRecord* run = nullptr;
  Json env;
  Json equivalence;
  Json metrics;  // null, or what the server's own totals moved by during the run
  std::int64_t t_plan_ns = 0;
  std::int64_t wall_ns = 0;
  std::size_t earlier_reports = 0;  // of the same plan in this report folder
};

// The `plan` as it is hashed: with the catalogue rows that this set-up cannot record.
Json PlanJson(const experiment::Plan& plan);
// SHA-256 of the canonical JSON of the plan.
std::string PlanSha256(const Json& plan);

Json TrackAReport(const TrackARecord& record);

}  // namespace helix::tracks
