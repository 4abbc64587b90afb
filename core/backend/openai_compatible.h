// Any server that speaks OpenAI completions and says nothing else about itself (MLX-LM, LM Studio, TGI, ...).
#pragma once
#include "core/backend/engine.h"

namespace helix::backend {

// Sends the smallest body that every server takes (TensorRT-LLM refuses unknown fields). Text in, text out,
// no cold method: a call past the cache is refused.
class OpenAiCompatible : public EngineBackend {
 public:
  explicit OpenAiCompatible(const EngineOptions& options);
  Result<Identity> Identify(const RunContext& context) override;
  [[nodiscard]] Json Parameters(const GenerateRequest& request) const override;

 protected:
  std::string GeneratePath() const override { return "/v1/completions"; }
  Json Body(const GenerateRequest& request, const std::string& salt) const override;
  Status Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const override;
};

}  // namespace helix::backend
