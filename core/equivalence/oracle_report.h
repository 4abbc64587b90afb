// An oracle's result as JSON: the short answer for an agent, and the whole record for the report folder.
#pragma once
#include <string>

#include "core/backend/backend.h"
#include "core/base/json.h"
#include "core/equivalence/oracle.h"

namespace helix::equivalence {

// {verdict, reason, class, classes, negative_controls, first_divergence, control, d_cf, canary, cases,
// limits, ...}. `first_divergence` is the token index of the worst case's, or null. `cases` has one short
// line per case.
Json ResultJson(const OracleResult& result, const OracleOptions& options);

// The record: the answer above with every case in full, the server's facts and the thresholds.
Json RecordJson(const OracleResult& result, const OracleOptions& options, const backend::Identity& identity);

// What stood before the first request: the options that decide what is asked.
Json PlanJson(const OracleOptions& options);

// For a terminal.
std::string ResultText(const Json& result);

}  // namespace helix::equivalence
