#include "core/backend/credentials.h"

#include <array>

namespace helix::backend {
namespace {

constexpr std::string_view kReplacement = "[redacted]";

bool IsKeyCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.';
}

void ReplaceAll(std::string& text, std::string_view secret) {
  for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += kReplacement.size()) {
    text.replace(at, secret.size(), kReplacement);
  }
}

// Providers' keys begin with these; a token shorter than this tail is a word.
void ReplaceKeyForms(std::string& text) {
  static constexpr std::array<std::string_view, 5> kHeads = {"sk-", "tp-", "Bearer ", "bearer ", "key="};
  constexpr std::size_t kShortest = 12;
  for (auto head : kHeads) {
    for (std::size_t at = 0; (at = text.find(head, at)) != std::string::npos;) {
      bool inside_word = at > 0 && IsKeyCharacter(text[at - 1]) && head != "key=";
      std::size_t end = at + head.size();
      while (end < text.size() && IsKeyCharacter(text[end])) ++end;
      if (inside_word || end - at - head.size() < kShortest) {
        at += head.size();
        continue;
      }
      text.replace(at, end - at, kReplacement);
      at += kReplacement.size();
    }
  }
}

}  // namespace

void Credentials::AddTo(std::multimap<std::string, std::string>& headers) const {
  if (key.empty()) return;
  if (bearer) {
    headers.emplace("authorization", "Bearer " + key);
  } else {
    headers.emplace("x-api-key", key);
  }
}

Credentials CredentialsFor(const ProviderProfile& profile, const EnvReader& env) {
  for (auto name : profile.key_envs) {
    if (auto key = env(std::string(name))) return {*key, std::string(name), name != "ANTHROPIC_API_KEY"};
  }
  return {};
}

std::string Redact(std::string text, const std::vector<std::string>& secrets) {
  for (const auto& secret : secrets) {
    if (secret.size() >= 4) ReplaceAll(text, secret);
  }
  ReplaceKeyForms(text);
  return text;
}

}  // namespace helix::backend
