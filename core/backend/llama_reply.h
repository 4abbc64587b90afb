// Reads llama-server's replies to POST /completion, whole or streamed.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/backend/backend.h"

namespace helix::backend {

// Fills `reply` from a final object (`stop: true`). Reused tokens come from timings.cache_n, or from
// tokens_evaluated - timings.prompt_n on builds before it; `tokens_cached` is what the slot holds afterwards
// and is never read. kProtocol when the object is not a finished completion.
Status ReadLlamaFinal(const Json& object, GenerateReply& reply);

// The error inside a reply: {"error":{...}} or {"error":"text"}; nullopt when there is none. `http_status` 0
// means an error event inside a stream. The text is the server's, cut to 200 printable bytes.
std::optional<Error> LlamaError(const Json& body, int http_status);

// One reply as it streams in. Events are fed in order; a stream is complete only with its final event.
class LlamaStream {
 public:
  // `data` of one SSE event. kParse or kProtocol when it cannot be part of a completion stream.
  Status Event(const std::string& data, std::int64_t t_ns);
  // Moves what was read into `reply`: text, ids (kept only when none was lost: a chunk that waits for the
  // rest of a UTF-8 sequence carries its last id alone), counters, times. kProtocol when no final event came.
  Status Finish(GenerateReply& reply);
  // When the bytes of the first event with a generated token arrived; progress events are not tokens.
  [[nodiscard]] std::optional<std::int64_t> first_token_ns() const { return first_token_ns_; }

 private:
  void Chunk(const Json& chunk, std::int64_t t_ns);

  GenerateReply read_;
  std::optional<std::int64_t> first_token_ns_;
  bool finished_ = false;
};

// The first `limit` bytes of `text` with everything that is not printable ASCII shown as '.'.
std::string Printable(std::string_view text, std::size_t limit);

}  // namespace helix::backend
