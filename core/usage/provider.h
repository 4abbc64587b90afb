// Provider names a user may give, and the shapes their replies have.
#pragma once
#include <string_view>
#include <vector>

namespace helix::usage {

enum class Shape {
  kNone,
  kAnthropic,
  kOpenAiChat,
  kOpenAiResponses,
  kGemini,
  kBedrock,
  kOpenRouterRecord,
  kLlamaServer,
  kSglangMeta,
  kOllama,
  kLmStudioStats,
};

// The names, in the order in which they are listed to a user.
const std::vector<std::string_view>& ProviderNames();
bool KnownProvider(std::string_view name);
// How an input_tokens/output_tokens usage is read when its provider is named: input with the cached part
// (kOpenAiResponses) or without it (kAnthropic); kNone where the fields themselves decide.
Shape ShapeOfBareInput(std::string_view provider);

}  // namespace helix::usage
