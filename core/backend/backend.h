// What the experiments need from a server that runs a model. One implementation per kind of server.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/measured.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/base/units.h"

namespace helix::backend {

using TokenId = std::int32_t;

struct TopToken {
  TokenId id = 0;
  std::string bytes;
  double logprob = 0;
};

// One generated position: the token taken, and the best alternatives, best first.
struct TokenLogprobs {
  TokenId id = 0;
  double logprob = 0;
  std::vector<TopToken> top;
};

struct GenerateRequest {
  std::vector<TokenId> prompt;
  int output_tokens = 1;
  bool use_cache = true;  // false: the request must not reuse anything (the backend's best cold method)
  bool stream = false;    // true gives a TTFT; false gives exact token ids and log-probabilities
  int slot = 0;           // where the server has slots
  int top_logprobs = 0;   // 0: none asked for
  Millis timeout{600'000};
};

struct GenerateReply {
  std::string request_body;   // the exact bytes sent and received: evidence
  std::string response_body;
  Measured<std::int64_t> prompt_tokens;     // all of the prompt
  Measured<std::int64_t> cached_tokens;     // reused, the server's own counter
  Measured<std::int64_t> processed_tokens;  // evaluated
  Measured<double> prefill_ms;              // server clock only
  Measured<double> decode_ms;               // server clock only
  Measured<std::int64_t> output_tokens;
  std::vector<TokenId> tokens;  // generated; empty when the server gave none
  bool has_token_ids = false;
  std::string text;
  std::vector<TokenLogprobs> logprobs;  // one per generated token, or empty
  std::string finish;                   // "stop", "length", or the server's own word
  bool truncated = false;
  std::int64_t t_send_ns = 0;           // client, steady clock
  Measured<std::int64_t> ttft_ns;       // client: to the first event with a token; absent when not streamed
  std::int64_t total_ns = 0;            // client
  bool connection_reused = false;
  std::optional<int> slot;
  std::string model;                    // as the reply names it
};

enum class ColdMethod { kPerRequestSwitch, kFlush, kSalt, kNonceFirst, kRestart };
const char* ColdMethodName(ColdMethod method);  // "per_request_switch", "flush", ...

// Probed, never assumed.
struct Capabilities {
  bool token_ids_in = false;
  bool token_ids_out = false;
  bool logprobs = false;
  bool cached_count = false;      // the server reports reused tokens at all
  bool zero_is_reported = false;  // a miss is reported as 0, not as silence
  bool prefill_time = false;
  bool tokenizer = false;
  bool metrics = false;
  bool slots = false;
  int block_size = 1;  // reuse comes in multiples of this
  std::vector<ColdMethod> cold_methods;  // best first; empty: no cold arm is possible
};

struct Identity {
  std::string kind;      // "llama-server", "vllm", ...
  std::string endpoint;  // base URL
  std::string build;
  std::string model_id;
  bool synthetic_weights = false;  // a model written by this project: random weights
  int slots = 1;
  std::int64_t context_per_slot = 0;  // tokens
  Json facts = Json::object();        // what the report keeps: flags, sampler defaults, template digest
};

// Not thread-safe; one request in flight. Every call obeys context.stop.
class Backend {
 public:
  virtual ~Backend() = default;

  // Proves that the endpoint is this kind of server by more than a health check. kProtocol with what answered
  // when it is something else, kUnavailable when nothing answers.
  virtual Result<Identity> Identify(const RunContext& context) = 0;
  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  // Token ids as the server's own tokenizer gives them, special tokens (BOS) included when `add_special`.
  virtual Result<std::vector<TokenId>> Tokenize(const std::string& text, bool add_special,
                                                const RunContext& context) = 0;
  virtual Result<GenerateReply> Generate(const GenerateRequest& request, const RunContext& context) = 0;
  // Returns once no request is being worked on, or kTimeout. A running prefill goes on after a disconnect.
  virtual Status WaitIdle(Millis timeout, const RunContext& context) = 0;
  // Server-wide counters by name, where the server has them; kUnavailable otherwise.
  virtual Result<Json> Metrics(const RunContext& context) = 0;
  // Changes whenever the server process does; empty when it cannot be known.
  [[nodiscard]] virtual std::string boot_id() const = 0;
};

}  // namespace helix::backend
