#include "core/backend/backend.h"

namespace helix::backend {

const char* ColdMethodName(ColdMethod method) {
  switch (method) {
    case ColdMethod::kPerRequestSwitch: return "per_request_switch";
    case ColdMethod::kFlush: return "flush";
    case ColdMethod::kSalt: return "salt";
    case ColdMethod::kNonceFirst: return "nonce_first";
    case ColdMethod::kRestart: return "restart";
  }
  return "none";
}

}  // namespace helix::backend
