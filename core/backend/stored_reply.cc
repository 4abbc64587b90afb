#include "core/backend/stored_reply.h"

#include "core/backend/llama_reply.h"
#include "core/net/sse_parser.h"

namespace helix::backend {

Result<GenerateReply> ReadStoredLlamaReply(const std::string& bytes) {
  GenerateReply reply;
  if (bytes.starts_with("{")) {
    auto json = ParseJson(bytes);
    if (!json) return tl::make_unexpected(json.error());
    HELIX_TRY(ReadLlamaFinal(*json, reply));
  } else {
    LlamaStream stream;
    Status events;
    net::SseParser parser([&](const net::SseEvent& event) {
      if (events) events = stream.Event(event.data, 0);
    });
    HELIX_TRY(parser.Feed(bytes, 0));
    HELIX_TRY(events);
    HELIX_TRY(stream.Finish(reply));
  }
  reply.response_body = bytes;
  return reply;
}

}  // namespace helix::backend
