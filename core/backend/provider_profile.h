// What differs between hosted providers, as data. Facts age: each row says where it stands and when it was
// read.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/settings.h"

namespace helix::backend {

enum class Protocol { kAnthropicMessages, kOpenAiChat };

struct ProviderProfile {
  std::string_view name;  // also the route of its prices
  Protocol protocol = Protocol::kOpenAiChat;
  std::string_view base_url;               // with path; "/messages" or "/chat/completions" follows
  std::string_view base_url_env;           // empty: none
  std::vector<std::string_view> key_envs;  // the first that is set
  bool takes_markers = false;              // cache_control is read; otherwise caching is automatic
  bool reports_writes = false;
  int ttl_seconds = 0;  // of the default lifetime; 0: not published
  int settle_ms = 0;    // wait between the call that writes and the one that reads
  std::string_view default_model;
  std::string_view usage_at;  // where streams carry usage
  std::string_view source;
  std::string_view as_of;
};

const std::vector<ProviderProfile>& ProviderProfiles();
const ProviderProfile* FindProfile(std::string_view name);

// The provider that the environment holds a key for, in the order of ProviderProfiles(); nullptr without any.
const ProviderProfile* ConfiguredProfile(const EnvReader& env);

// Shortest prefix that the model caches, in tokens; nullopt when not published. Minima move: a verdict rests
// on the counters, never on this.
std::optional<int> MinimumPrefix(std::string_view model);

// "https://host/path" in its two halves. The path may only hold letters, digits and "._~/-".
struct BaseUrl {
  std::string origin;  // scheme://host[:port]
  std::string path;    // "" or "/v1" or "/anthropic/v1"; no slash at the end
};
Result<BaseUrl> SplitBaseUrl(std::string_view url);

}  // namespace helix::backend
