#include "core/usage/provider.h"

#include <algorithm>

namespace helix::usage {

const std::vector<std::string_view>& ProviderNames() {
  static const std::vector<std::string_view> kNames = {
      "anthropic", "openai", "deepseek",   "moonshot", "mimo",    "zhipu",
      "qwen",      "gemini", "openrouter", "opencode", "bedrock", "llama-server",
      "vllm",      "sglang", "ollama",     "lmstudio", "litellm"};
  return kNames;
}

bool KnownProvider(std::string_view name) {
  const auto& names = ProviderNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

Shape ShapeOfBareInput(std::string_view provider) {
  if (provider == "anthropic") return Shape::kAnthropic;
  if (provider == "openai") return Shape::kOpenAiResponses;
  return Shape::kNone;
}

}  // namespace helix::usage
