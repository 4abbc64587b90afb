// A llama-server's reply as it was kept: what was read from it once can be read again.
#pragma once
#include <string>

#include "core/backend/backend.h"

namespace helix::backend {

// The body of POST /completion, whole or streamed. Times on the client's clock are absent: bytes have none.
// kParse or kProtocol when it is no finished completion.
Result<GenerateReply> ReadStoredLlamaReply(const std::string& bytes);

}  // namespace helix::backend
