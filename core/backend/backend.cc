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

Result<std::int64_t> Backend::RoundTripNs(const RunContext& /*context*/) {
  return Fail(ErrorCode::kUnavailable, "this kind of backend has no trivial request to time");
}

}  // namespace helix::backend
