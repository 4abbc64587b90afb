#include "mcp/install/client.h"

#include <algorithm>
#include <filesystem>

namespace helix::mcp {
namespace {

// Clients cut a call after their own time limit; a call here answers in 45 s or hands out a job, so two
// minutes do.
constexpr int kCallLimitSeconds = 120;

std::function<std::string(const EnvReader&)> InHome(const std::string& path) {
  return [path](const EnvReader& env) { return env("HOME").value_or("") + "/" + path; };
}

std::string CodexFile(const EnvReader& env) {
  if (auto home = env("CODEX_HOME")) return *home + "/config.toml";
  return env("HOME").value_or("") + "/.codex/config.toml";
}

std::string ConfigHome(const EnvReader& env) {
  if (auto config = env("XDG_CONFIG_HOME")) return *config;
  return env("HOME").value_or("") + "/.config";
}

// opencode reads both names; the one that is there is the user's.
std::string OpencodeFile(const EnvReader& env) {
  const std::string base = ConfigHome(env) + "/opencode/opencode.json";
  return std::filesystem::exists(base + "c") ? base + "c" : base;
}

std::string CrushFile(const EnvReader& env) {
  return ConfigHome(env) + "/crush/crush.json";
}

Json ServeArgs() {
  return Json::array({"serve"});
}

Json ClaudeEntry(const ServerAddress& to) {
  if (!to.url.empty()) return {{"type", "http"}, {"url", to.url}};
  return {{"type", "stdio"}, {"command", to.command}, {"args", ServeArgs()}};
}

Json QwenEntry(const ServerAddress& to) {
  if (!to.url.empty()) return {{"httpUrl", to.url}, {"timeout", kCallLimitSeconds * 1000}};
  return {{"command", to.command}, {"args", ServeArgs()}, {"timeout", kCallLimitSeconds * 1000}};
}

Json GeminiEntry(const ServerAddress& to) {
  if (!to.url.empty()) return {{"url", to.url}, {"type", "http"}, {"timeout", kCallLimitSeconds * 1000}};
  return QwenEntry(to);
}

Json CodexEntry(const ServerAddress& to) {
  Json entry = Json::object();
  if (!to.url.empty()) {
    entry["url"] = to.url;
  } else {
    entry["command"] = to.command;
    entry["args"] = ServeArgs();
    // Codex starts servers with hardly any environment: ours are named, their values stay where they are. What
    // lets paid calls happen is not among them: who wants that in Codex adds it.
    entry["env_vars"] = {"HELIX_LLM_LOCAL_OPENAI_ENDPOINT",
                         "HELIX_LLM_HOST",
                         "HELIX_LLM_PORT",
                         "HELIX_LLM_API_KEY",
                         "HELIX_ALLOWED_ENDPOINTS",
                         "HELIX_REPORT_DIR",
                         "HELIX_SILENCE_LIMIT_S",
                         "HELIX_LLAMA_SERVER",
                         "HELIX_LLAMA_ARGS",
                         "HELIX_MODEL",
                         "HELIX_PRICES",
                         "XDG_STATE_HOME",
                         "XDG_CACHE_HOME"};
  }
  entry["tool_timeout_sec"] = kCallLimitSeconds;
  return entry;
}

Json OpencodeEntry(const ServerAddress& to) {
  Json entry = Json::object();
  if (!to.url.empty()) {
    entry = {{"type", "remote"}, {"url", to.url}};
  } else {
    entry = {{"type", "local"}, {"command", Json::array({to.command, "serve"})}};
  }
  entry["enabled"] = true;
  entry["timeout"] = kCallLimitSeconds * 1000;
  return entry;
}

Json CrushEntry(const ServerAddress& to) {
  Json entry = ClaudeEntry(to);
  entry["timeout"] = kCallLimitSeconds;
  return entry;
}

// readOnly: what its read-only agent loop asks for. The server changes nothing but its own report folder.
Json HelixCodeEntry(const ServerAddress& to) {
  if (!to.url.empty()) return {{"transport", "http"}, {"url", to.url}, {"readOnly", true}};
  return {{"transport", "stdio"}, {"command", Json::array({to.command, "serve"})}, {"readOnly", true}};
}

// No env: HelixAgent replaces the whole environment when one is given.
Json HelixAgentEntry(const ServerAddress& to) {
  return {{"name", kServerName}, {"command", to.command}, {"args", ServeArgs()}, {"enabled", true}};
}

}  // namespace

const std::vector<Client>& Clients() {
  const auto unknown = [](const EnvReader&) { return std::string(); };
  static const std::vector<Client> clients = {
      {"claude-code", "Claude Code", FileFormat::kJson, unknown, "mcpServers", ClaudeEntry, true, "claude"},
      {"codex", "Codex", FileFormat::kToml, CodexFile, "mcp_servers", CodexEntry, true, ""},
      {"qwen-code", "Qwen Code", FileFormat::kJson, InHome(".qwen/settings.json"), "mcpServers", QwenEntry,
       true, ""},
      {"gemini-cli", "Gemini CLI", FileFormat::kJson, InHome(".gemini/settings.json"), "mcpServers",
       GeminiEntry, true, ""},
      {"opencode", "opencode", FileFormat::kJson, OpencodeFile, "mcp", OpencodeEntry, true, ""},
      {"crush", "Crush", FileFormat::kJson, CrushFile, "mcp", CrushEntry, true, ""},
      {"helixcode", "HelixCode", FileFormat::kYaml, InHome(".helixcode/mcp.yml"), "servers", HelixCodeEntry,
       true, ""},
      {"helixagent", "HelixAgent", FileFormat::kJson, unknown, "mcpServers", HelixAgentEntry, false, ""},
  };
  return clients;
}

const Client* FindClient(const std::string& name) {
  const auto& all = Clients();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Client& c) { return c.name == name; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace helix::mcp
