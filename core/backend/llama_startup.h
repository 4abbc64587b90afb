// What a llama-server's log says about the context it made: facts that no route of its API gives.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace helix::backend {

struct LlamaStartup {
  std::optional<std::int64_t> batch;       // tokens of one scheduling step
  std::optional<std::int64_t> ubatch;      // tokens of one micro-batch
  std::string flash_attention;             // the log's own word, such as "disabled"; empty: not logged
  std::string cache_type_k, cache_type_v;  // such as "f16"; empty: not logged
};

// Reads the start of a log, up to the first request. What the log does not say stays absent: builds log
// differently, and an unlogged value is not the default.
LlamaStartup ReadLlamaStartup(std::string_view log);

// {"batch":2048,"ubatch":512,"flash_attention":"disabled","cache_type_k":"f16",...}, null where not logged.
Json ToJson(const LlamaStartup& startup);

}  // namespace helix::backend
