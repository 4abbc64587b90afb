#include "core/backend/provider_profile.h"

#include <algorithm>
#include <array>

#include "core/net/endpoint_policy.h"

namespace helix::backend {
namespace {

constexpr std::string_view kRead = "2026-12-01";
constexpr std::string_view kTrailing = "trailing chunk with empty choices";

std::vector<ProviderProfile> MakeProfiles() {
  const auto chat = Protocol::kOpenAiChat;
  return {
      {"anthropic",
       Protocol::kAnthropicMessages,
       "https://api.anthropic.com/v1",
       "ANTHROPIC_BASE_URL",
       {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"},
       true,
       true,
       300,
       0,
       "claude-haiku-4-5",
       "message_start and message_delta",
       "vendor's prompt-caching page",
       kRead},
      {"openai",
       chat,
       "https://api.openai.com/v1",
       "OPENAI_BASE_URL",
       {"OPENAI_API_KEY"},
       false,
       true,
       300,
       1000,
       "gpt-5.4",
       kTrailing,
       "vendor's SDK and prompt-caching guide",
       kRead},
      {"deepseek",
       chat,
       "https://api.deepseek.com/v1",
       "",
       {"DEEPSEEK_API_KEY"},
       false,
       false,
       0,
       10000,
       "deepseek-v4-flash",
       kTrailing,
       "vendor's context-caching page; wait from field reports",
       kRead},
      {"moonshot",
       chat,
       "https://api.moonshot.ai/v1",
       "",
       {"MOONSHOT_API_KEY"},
       false,
       true,
       300,
       2000,
       "kimi-k2.6",
       "choices[0].usage or trailing chunk",
       "vendor's pricing page and field reports",
       kRead},
      {"mimo",
       chat,
       "https://api.xiaomimimo.com/v1",
       "",
       {"XIAOMI_API_KEY"},
       false,
       false,
       0,
       2000,
       "mimo-v2.5",
       kTrailing,
       "vendor's API page",
       kRead},
      {"openrouter",
       chat,
       "https://openrouter.ai/api/v1",
       "",
       {"OPENROUTER_API_KEY"},
       true,
       true,
       300,
       2000,
       "",
       "last event",
       "vendor's usage-accounting page",
       kRead},
      {"opencode",
       chat,
       "https://opencode.ai/zen/v1",
       "",
       {"OPENCODE_API_KEY"},
       false,
       false,
       0,
       2000,
       "deepseek-v4-flash",
       kTrailing,
       "vendor's price list",
       kRead},
  };
}

struct Minimum {
  std::string_view model;
  int tokens;
};
// Vendor's prompt-caching page, 2026-08; field reports contradict some of these.
constexpr std::array<Minimum, 20> kMinima = {{
    {"claude-opus-5", 512},      {"claude-opus-5-5", 512},    {"claude-sonnet-5-5", 512},
    {"claude-fable-5", 512},     {"claude-fable-5-1", 512},   {"claude-mythos-5", 512},
    {"claude-mythos-5-1", 512},  {"claude-opus-4-8", 1024},   {"claude-sonnet-5", 1024},
    {"claude-sonnet-4-6", 1024}, {"claude-sonnet-4-5", 1024}, {"claude-opus-4-1", 1024},
    {"claude-sonnet-4", 1024},   {"claude-opus-4-7", 2048},   {"claude-opus-4-6", 4096},
    {"claude-opus-4-5", 4096},   {"claude-haiku-4-5", 4096},  {"gpt-5.4", 1024},
    {"gpt-5.5", 1024},           {"gpt-5.6-sol", 1024},
}};

bool IsPathCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._~/-").find(c) != std::string_view::npos;
}

}  // namespace

const std::vector<ProviderProfile>& ProviderProfiles() {
  static const std::vector<ProviderProfile> profiles = MakeProfiles();
  return profiles;
}

const ProviderProfile* FindProfile(std::string_view name) {
  for (const auto& profile : ProviderProfiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

const ProviderProfile* ConfiguredProfile(const EnvReader& env) {
  for (const auto& profile : ProviderProfiles()) {
    for (auto name : profile.key_envs) {
      if (env(std::string(name))) return &profile;
    }
  }
  return nullptr;
}

std::optional<int> MinimumPrefix(std::string_view model) {
  for (const auto& minimum : kMinima) {
    if (minimum.model == model) return minimum.tokens;
  }
  return std::nullopt;
}

Result<BaseUrl> SplitBaseUrl(std::string_view url) {
  auto scheme = url.find("://");
  auto path_at = scheme == std::string_view::npos ? std::string_view::npos : url.find('/', scheme + 3);
  BaseUrl out{std::string(url.substr(0, path_at)), ""};
  if (path_at != std::string_view::npos) out.path = std::string(url.substr(path_at));
  while (out.path.ends_with('/')) out.path.pop_back();
  bool climbs = out.path.find("..") != std::string::npos || out.path.find("//") != std::string::npos;
  if (climbs || !std::all_of(out.path.begin(), out.path.end(), IsPathCharacter)) {
    return Fail(ErrorCode::kInvalidArgument,
                "the base URL's path has a character that is not a letter, digit or ._~/-",
                "expected something like https://api.example.com/v1");
  }
  auto endpoint = net::ParseEndpoint(out.origin);
  if (!endpoint) return tl::make_unexpected(endpoint.error());
  return out;
}

}  // namespace helix::backend
