// SGLang through its native /generate, which takes and returns token ids and always reports reuse.
#pragma once
#include "core/backend/engine.h"

namespace helix::backend {

// Cold calls carry a fresh extra_key: another namespace of the radix tree. Flush is /flush_cache, which
// refuses while the server works. A prefill time needs --enable-metrics; hits come in whole pages. /health is
// never asked: it runs a generation of its own.
class Sglang : public EngineBackend {
 public:
  explicit Sglang(const EngineOptions& options);
  Result<Identity> Identify(const RunContext& context) override;
  Status Flush(const RunContext& context) override;
  [[nodiscard]] Json Parameters(const GenerateRequest& request) const override;

 protected:
  std::string GeneratePath() const override { return "/generate"; }
  Json Body(const GenerateRequest& request, const std::string& salt) const override;
  Status Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const override;
  WorkCounters Counters(const Json& metrics) const override;
  std::optional<double> Running(const Json& metrics) const override;
};

}  // namespace helix::backend
