#include "core/backend/find_engine.h"

#include "core/backend/ollama.h"
#include "core/backend/openai_compatible.h"
#include "core/backend/sglang.h"
#include "core/backend/vllm.h"

namespace helix::backend {

std::unique_ptr<Backend> MakeEngine(const std::string& kind, const EngineOptions& options) {
  if (kind == "vllm") return std::make_unique<Vllm>(options);
  if (kind == "sglang") return std::make_unique<Sglang>(options);
  if (kind == "ollama") return std::make_unique<Ollama>(options);
  if (kind == "openai-compatible") return std::make_unique<OpenAiCompatible>(options);
  return nullptr;
}

Result<FoundEngine> FindEngine(const EngineOptions& options, const RunContext& context) {
  constexpr int kLoading = 503;
  LlamaHttp http(options.base_url, options.api_key);
  auto first = http.Get("/v1/models", context);
  if (!first) return tl::make_unexpected(std::move(first.error()));
  if (first->status == kLoading)
    return Fail(ErrorCode::kUnavailable, "the server is still loading its model", "ask again when it is ready");
  Error last{ErrorCode::kProtocol, "no known model server answers",
             "name the address of the model server itself"};
  for (const char* kind : {"sglang", "ollama", "vllm", "openai-compatible"}) {
    FoundEngine found;
    found.backend = MakeEngine(kind, options);
    auto identity = found.backend->Identify(context);
    if (identity) {
      found.identity = std::move(*identity);
      return found;
    }
    if (identity.error().code == ErrorCode::kCancelled || identity.error().code == ErrorCode::kUnavailable)
      return tl::make_unexpected(std::move(identity.error()));
  }
  return tl::make_unexpected(std::move(last));
}

}  // namespace helix::backend
