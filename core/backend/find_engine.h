// The adapter for whatever answers at an endpoint.
#pragma once
#include <memory>
#include <string>

#include "core/backend/engine.h"

namespace helix::backend {

// By kind: "vllm", "sglang", "ollama", "openai-compatible"; null for another.
std::unique_ptr<Backend> MakeEngine(const std::string& kind, const EngineOptions& options);

struct FoundEngine {
  std::unique_ptr<Backend> backend;
  Identity identity;
};
// The first of SGLang, Ollama, vLLM and OpenAI-compatible that the endpoint answers as. kProtocol when it is
// none, kUnavailable when nothing answers.
Result<FoundEngine> FindEngine(const EngineOptions& options, const RunContext& context);

}  // namespace helix::backend
