// One call of a run and everything that was recorded about it, failed ones included.
#pragma once
#include <cstdint>
#include <string>

#include "core/backend/backend.h"
#include "core/experiment/plan.h"
#include "core/experiment/verified_label.h"

namespace helix::experiment {

enum class SampleStatus {
  kOk,
  kError,    // the server or the connection failed
  kTimeout,  // no complete reply in time
  kNotRun,   // planned, never sent: the server was gone
};
std::string_view SampleStatusName(SampleStatus status);  // "ok", "error", "timeout", "not_run"

struct Sample {
  int seq = 0;  // index in plan.order
  Call call;
  SampleStatus status = SampleStatus::kOk;
  std::string error;  // what went wrong; never holds prompt text or a key
  std::int64_t expected_cached = 0;
  std::int64_t lcp_prev = 0;
  std::string prompt_sha256;
  std::string params_sha256;
  bool streamed = true;
  std::int64_t t_send_ns = 0;  // also of a failed call
  std::string boot_id;
  Verified verified = Verified::kInferred;
  Json traffic;  // null, or {"processed","cached","predicted"}: what the server did beyond this call
  backend::GenerateReply reply;
  std::string raw_sha256;          // of the reply's bytes as stored; empty: none
  std::string raw_request_sha256;  // of the request's bytes as stored
};

// One row of `samples` in helix.report/1. Times are null in a row that is not ok.
Json SampleJson(const Sample& sample, const std::string& env_id);

}  // namespace helix::experiment
