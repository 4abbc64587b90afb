// A llama.cpp llama-server, ours or the user's, through its native routes.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/backend/backend.h"
#include "core/backend/llama_identity.h"

namespace helix::backend {

struct LlamaServerOptions {
  std::string base_url;                // scheme://host:port, already checked against the endpoint policy
  std::optional<std::string> api_key;  // of the server's --api-key
  std::string boot_id;                 // of a server that we started; empty: what the server shows of itself
  Millis silence_limit{600'000};       // longest silence while an answer is waited for
};

// Identify must have succeeded before anything else is called. One connection is kept for questions and one
// for completions: a streamed reply ends its connection, so each completion opens its own before its clock
// starts.
class LlamaServer : public Backend {
 public:
  explicit LlamaServer(LlamaServerOptions options);
  ~LlamaServer() override;

  Result<Identity> Identify(const RunContext& context) override;
  [[nodiscard]] Capabilities capabilities() const override;
  Result<std::vector<TokenId>> Tokenize(const std::string& text, bool add_special,
                                        const RunContext& context) override;
  Result<GenerateReply> Generate(const GenerateRequest& request, const RunContext& context) override;
  [[nodiscard]] Json Parameters(const GenerateRequest& request) const override;
  // By /slots; where it is off by /metrics; where both are off by a request of one token that has to queue.
  Status WaitIdle(Millis timeout, const RunContext& context) override;
  Result<Json> Metrics(const RunContext& context) override;
  Result<WorkCounters> Work(const RunContext& context) override;
  // The fastest of 50 /health calls.
  Result<std::int64_t> RoundTripNs(const RunContext& context) override;
  [[nodiscard]] std::string boot_id() const override {
    return own_boot_id_.empty() ? known_.boot_id : own_boot_id_;
  }

 private:
  Result<GenerateReply> Whole(const net::HttpRequest& http, const RunContext& context);
  Result<GenerateReply> Streamed(const net::HttpRequest& http, const RunContext& context);
  Result<bool> Busy(const RunContext& context);
  Status QueueBehind(Millis timeout, const RunContext& context);

  LlamaHttp questions_;
  LlamaHttp completions_;
  LlamaIdentity known_;
  std::string own_boot_id_;
  Millis silence_limit_;
  bool counts_reuse_ = false;  // learnt from the replies
  bool times_prefill_ = false;
};

}  // namespace helix::backend
