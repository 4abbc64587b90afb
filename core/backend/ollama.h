// Ollama through /api/generate with raw prompts. Text in, text out: it shows no token ids.
#pragma once
#include "core/backend/engine.h"

namespace helix::backend {

// A cold call unloads the model (keep_alive 0: its server process ends) and loads it again before the call's
// clock starts. Reuse is reported by versions after 0.33.2; the prefill time is that of the uncached part
// only.
class Ollama : public EngineBackend {
 public:
  explicit Ollama(const EngineOptions& options);
  Result<Identity> Identify(const RunContext& context) override;
  Status Flush(const RunContext& context) override;
  // Ollama has no word for idle: kUnavailable.
  [[nodiscard]] Json Parameters(const GenerateRequest& request) const override;

 protected:
  std::string GeneratePath() const override { return "/api/generate"; }
  Json Body(const GenerateRequest& request, const std::string& salt) const override;
  Status Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const override;
  Status MakeCold(const RunContext& context) override { return Flush(context); }
};

}  // namespace helix::backend
