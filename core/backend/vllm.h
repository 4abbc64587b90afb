// vLLM through its OpenAI completions route, which takes and returns token ids.
#pragma once
#include "core/backend/engine.h"

namespace helix::backend {

// Cold calls carry a fresh cache_salt: the server is the same, the namespace is not. Flush is POST
// /reset_prefix_cache, which exists in development mode only. Reuse is reported with
// --enable-prompt-tokens-details, a prefill time with --enable-per-request-metrics; hits come in whole
// blocks.
class Vllm : public EngineBackend {
 public:
  explicit Vllm(const EngineOptions& options);
  Result<Identity> Identify(const RunContext& context) override;
  Status Flush(const RunContext& context) override;
  [[nodiscard]] Json Parameters(const GenerateRequest& request) const override;

 protected:
  std::string GeneratePath() const override { return "/v1/completions"; }
  Json Body(const GenerateRequest& request, const std::string& salt) const override;
  Status Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const override;
  WorkCounters Counters(const Json& metrics) const override;
  std::optional<double> Running(const Json& metrics) const override;
};

// The parts of an OpenAI completion that every server of that interface shares: text, finish, usage, errors.
Status ReadOpenAiCompletion(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read);

}  // namespace helix::backend
