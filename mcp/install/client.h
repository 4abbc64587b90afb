// The clients that this program can register itself in: where each keeps its servers, and in what form.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/settings.h"

namespace helix::mcp {

inline constexpr const char* kServerName = "helix-perf-cache";

// What a client is told: a command to start, or the address of a server that runs.
struct ServerAddress {
  std::string command;  // absolute path of the binary
  std::string url;      // not empty: Streamable HTTP, and the command is not used
};

enum class FileFormat { kJson, kToml, kYaml };

struct Client {
  std::string name;   // claude-code
  std::string title;  // Claude Code
  FileFormat format = FileFormat::kJson;
  // The file that holds its servers, from the environment; empty when only the user knows it.
  std::function<std::string(const EnvReader&)> default_file;
  std::string section;  // member or table that holds the servers
  // The entry as JSON; TOML and YAML are written from it.
  std::function<Json(const ServerAddress&)> entry;
  bool has_http = true;
  // The client's own command for its user scope; empty: its file is edited.
  std::string own_command;
};

// In a fixed order.
const std::vector<Client>& Clients();

// nullptr when there is no such client.
const Client* FindClient(const std::string& name);

}  // namespace helix::mcp
