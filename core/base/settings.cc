#include "core/base/settings.h"

#include <cstdlib>
#include <sstream>

namespace helix {
namespace {

std::string DefaultReportDir(const EnvReader& env) {
  if (auto dir = env("HELIX_REPORT_DIR")) return *dir;
  if (auto state = env("XDG_STATE_HOME")) return *state + "/helix-perf-cache";
  if (auto home = env("HOME")) return *home + "/.local/state/helix-perf-cache";
  return "helix-perf-cache-reports";
}

std::string DefaultEndpoint(const EnvReader& env) {
  if (auto url = env("HELIX_LLM_LOCAL_OPENAI_ENDPOINT")) return *url;
  if (auto host = env("HELIX_LLM_HOST")) {
    std::string base = host->find("://") == std::string::npos ? "http://" + *host : *host;
    auto port = env("HELIX_LLM_PORT");
    return port ? base + ":" + *port : base;
  }
  if (auto port = env("HELIX_LLM_PORT")) return "http://localhost:" + *port;
  return "http://localhost:18434";
}

}  // namespace

EnvReader ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
  };
}

Settings SettingsFromEnvironment(const EnvReader& env) {
  Settings s;
  s.endpoint = StripV1(DefaultEndpoint(env));
  s.report_dir = DefaultReportDir(env);
  s.llama_server = env("HELIX_LLAMA_SERVER");
  s.model_file = env("HELIX_MODEL");
  s.api_key = env("HELIX_LLM_API_KEY");
  if (auto args = env("HELIX_LLAMA_ARGS")) {
    std::stringstream stream(*args);
    for (std::string item; stream >> item;) s.llama_args.push_back(item);
  }
  if (auto list = env("HELIX_ALLOWED_ENDPOINTS")) {
    std::stringstream stream(*list);
    for (std::string item; std::getline(stream, item, ',');) {
      if (!item.empty()) s.allowed_endpoints.push_back(item);
    }
  }
  return s;
}

std::string StripV1(std::string url, bool* stripped) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  bool had = url.size() >= 3 && url.compare(url.size() - 3, 3, "/v1") == 0;
  if (had) url.resize(url.size() - 3);
  if (stripped != nullptr) *stripped = had;
  return url;
}

}  // namespace helix
