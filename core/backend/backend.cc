#include "core/backend/backend.h"

namespace helix::backend {

const char* ColdMethodName(ColdMethod method) {
  switch (method) {
    case ColdMethod::kPerRequestSwitch:
      return "per_request_switch";
    case ColdMethod::kFlush:
      return "flush";
    case ColdMethod::kSalt:
      return "salt";
    case ColdMethod::kNonceFirst:
      return "nonce_first";
    case ColdMethod::kRestart:
      return "restart";
  }
  return "none";
}

Json Backend::Parameters(const GenerateRequest& request) const {
  return {{"temperature", 0},
          {"output_tokens", request.output_tokens},
          {"stream", request.stream},
          {"top_logprobs", request.top_logprobs}};
}

Result<WorkCounters> Backend::Work(const RunContext& /*context*/) {
  return Fail(ErrorCode::kUnavailable, "this kind of backend has no server-wide counters");
}

Status Backend::Flush(const RunContext& /*context*/) {
  return Fail(ErrorCode::kUnavailable, "this kind of backend has no way to empty its cache");
}

Result<std::int64_t> Backend::RoundTripNs(const RunContext& /*context*/) {
  return Fail(ErrorCode::kUnavailable, "this kind of backend has no trivial request to time");
}

}  // namespace helix::backend
