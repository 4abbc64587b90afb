// Who answers at an endpoint: proof that it is a llama-server, and what it says about itself.
#pragma once
#include "core/backend/backend.h"
#include "core/backend/llama_http.h"

namespace helix::backend {

struct LlamaIdentity {
  Identity identity;
  std::string boot_id;  // empty on builds that show nothing that changes with the process
  bool has_slots = false;
  bool has_metrics = false;
};

// A server is believed when its /props has llama-server's shape and its /tokenize gives token ids: a gateway
// answers {"status":"ok"} to /health as well. kUnavailable when nothing answers or the model is still
// loading, kRefused for a missing key, kProtocol naming what answered for anything else, a router without a
// model included.
Result<LlamaIdentity> IdentifyLlama(LlamaHttp& http, const RunContext& context);

}  // namespace helix::backend
