#include "core/record/redact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace helix::record {
namespace {

constexpr std::string_view kMark = "[redacted]";
constexpr std::size_t kShortestSecret = 6;
constexpr std::array<std::string_view, 8> kSecretHeaders = {
    "authorization", "x-api-key",           "api-key",     "x-goog-api-key", "cookie",
    "set-cookie",    "proxy-authorization", "x-auth-token"};
constexpr std::array<std::string_view, 12> kHarmless = {
    "content-type",   "content-length",    "user-agent", "anthropic-version",
    "anthropic-beta", "retry-after",       "request-id", "x-request-id",
    "server",         "transfer-encoding", "x-cache",    "x-openrouter-cache-status"};
constexpr std::array<std::string_view, 10> kKeyStarts = {"sk-",  "ghp_", "gho_",  "ghs_",  "github_pat_",
                                                         "AKIA", "AIza", "xoxb-", "xoxp-", "hf_"};
constexpr std::size_t kKeyTail = 16;  // a key's start with fewer bytes behind it is a word

bool KeyByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}

bool OneOf(std::string_view name, const std::string_view* begin, const std::string_view* end) {
  return std::find(begin, end, name) != end;
}

void ReplaceAll(std::string& text, const std::string& what) {
  if (what.size() < kShortestSecret) return;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + kMark.size()))
    text.replace(at, what.size(), kMark);
}

void ReplaceKeys(std::string& text, std::string_view start) {
  std::size_t at = text.find(start);
  while (at != std::string::npos) {
    std::size_t end = at + start.size();
    while (end < text.size() && KeyByte(text[end])) ++end;
    const bool word_before = at > 0 && KeyByte(text[at - 1]);
    const bool key = !word_before && end - at >= start.size() + kKeyTail;
    if (key) text.replace(at, end - at, kMark);
    at = text.find(start, key ? at + kMark.size() : at + 1);
  }
}

}  // namespace

std::vector<std::string> SecretsIn(const std::multimap<std::string, std::string>& headers) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : headers) {
    if (!OneOf(name, kSecretHeaders.begin(), kSecretHeaders.end())) continue;
    secrets.push_back(value);
    const std::size_t space = value.find(' ');
    if (space != std::string::npos) secrets.push_back(value.substr(space + 1));
  }
  return secrets;
}

std::string Redact(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) ReplaceAll(text, secret);
  for (std::string_view start : kKeyStarts) ReplaceKeys(text, start);
  return text;
}

std::multimap<std::string, std::string> HarmlessHeaders(
    const std::multimap<std::string, std::string>& headers) {
  std::multimap<std::string, std::string> kept;
  for (const auto& [name, value] : headers)
    if (OneOf(name, kHarmless.begin(), kHarmless.end())) kept.emplace(name, value);
  return kept;
}

std::string RedactTarget(const std::string& target) {
  const std::size_t query = target.find('?');
  if (query == std::string::npos) return target;
  std::string result = target.substr(0, query + 1);
  for (std::size_t begin = query + 1; begin < target.size();) {
    std::size_t end = target.find('&', begin);
    if (end == std::string::npos) end = target.size();
    const std::string field = target.substr(begin, end - begin);
    const std::size_t equals = field.find('=');
    if (begin > query + 1) result += '&';
    const bool keep = equals == std::string::npos || field.compare(0, equals, "beta") == 0;
    result += keep ? field : field.substr(0, equals + 1) + std::string(kMark);
    begin = end + 1;
  }
  return result;
}

}  // namespace helix::record
