// What the user configured: environment variables and command line, never an agent's arguments.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace helix {

// Reads one environment variable; nullopt when unset or empty. Replaced in tests.
using EnvReader = std::function<std::optional<std::string>(const std::string&)>;
EnvReader ProcessEnvironment();

struct Settings {
  std::string endpoint;  // HELIX_LLM_LOCAL_OPENAI_ENDPOINT, else HELIX_LLM_HOST + PORT, else
                         // http://localhost:18434; one trailing /v1 dropped
  std::vector<std::string> allowed_endpoints;  // HELIX_ALLOWED_ENDPOINTS, comma separated scheme://host:port
  std::string report_dir;                      // HELIX_REPORT_DIR, else the XDG state folder
  std::optional<std::string> llama_server;     // HELIX_LLAMA_SERVER
  std::optional<std::string> model_file;       // HELIX_MODEL, a GGUF file for managed servers
  std::vector<std::string> llama_args;  // HELIX_LLAMA_ARGS, split at blanks: more flags for managed servers
  std::optional<std::string> api_key;   // HELIX_LLM_API_KEY; never printed
  bool from_agent = false;              // true when the call came over MCP: policy may not be widened
};

Settings SettingsFromEnvironment(const EnvReader& env);

// Drops one trailing "/v1" (and a trailing "/"); `stripped` tells whether a /v1 was there.
std::string StripV1(std::string url, bool* stripped = nullptr);

}  // namespace helix
