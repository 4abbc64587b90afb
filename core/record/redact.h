// Takes secrets out of what is written to disk.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace helix::record {

// The values of headers that carry credentials (authorization, x-api-key, api-key, x-goog-api-key, cookie,
// ...), each also without its scheme word ("Bearer").
std::vector<std::string> SecretsIn(const std::multimap<std::string, std::string>& headers);

// `text` with every known secret, and everything in the form of a well-known key (sk-..., ghp_..., AKIA...),
// replaced by "[redacted]".
std::string Redact(std::string text, const std::vector<std::string>& secrets);

// Only headers that help to read a capture (content-type, user-agent, anthropic-version, anthropic-beta,
// retry-after, request ids); names in lower case.
std::multimap<std::string, std::string> HarmlessHeaders(
    const std::multimap<std::string, std::string>& headers);

// The path with the value of every query field but "beta" replaced.
std::string RedactTarget(const std::string& target);

}  // namespace helix::record
