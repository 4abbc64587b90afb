// Keys: from the environment, into a request header, nowhere else.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/provider_profile.h"
#include "core/base/settings.h"

namespace helix::backend {

struct Credentials {
  std::string key;       // never printed; empty: none (a local server)
  std::string env_name;  // where it came from
  bool bearer = true;    // Authorization: Bearer, else x-api-key

  [[nodiscard]] bool present() const { return !key.empty(); }
  void AddTo(std::multimap<std::string, std::string>& headers) const;
};

// The first of the profile's variables that is set. Anthropic: ANTHROPIC_API_KEY goes into x-api-key,
// ANTHROPIC_AUTH_TOKEN into Authorization; never both (the API refuses that).
Credentials CredentialsFor(const ProviderProfile& profile, const EnvReader& env);

// The text with every occurrence of every secret (of four characters or more), and everything that has the
// form of an API key or a bearer token, replaced.
std::string Redact(std::string text, const std::vector<std::string>& secrets);

}  // namespace helix::backend
