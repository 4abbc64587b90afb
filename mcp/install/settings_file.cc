#include "mcp/install/settings_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <vector>

#include "core/base/file.h"
#include "mcp/install/jsonc_edit.h"
#include "mcp/install/toml_edit.h"
#include "mcp/install/yaml_edit.h"

namespace helix::mcp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSettingsBytes = 16U << 20;

std::string TomlBody(const Json& entry) {
  std::string body;
  for (const auto& [key, value] : entry.items()) body += key + " = " + DumpJson(value) + "\n";
  return body;
}

// JSON is YAML's flow style, so values are written as they are.
std::vector<std::string> YamlFields(const Json& entry) {
  std::vector<std::string> fields;
  for (const auto& [key, value] : entry.items()) fields.push_back(key + ": " + DumpJson(value));
  return fields;
}

}  // namespace

Result<std::string> WithServer(const std::string& text, const Client& client, const ServerAddress& to) {
  const Json entry = client.entry(to);
  switch (client.format) {
    case FileFormat::kToml:
      return SetTomlTable(text, client.section, kServerName, TomlBody(entry));
    case FileFormat::kYaml:
      return SetYamlServer(text, kServerName, YamlFields(entry));
    case FileFormat::kJson:
      break;
  }
  return SetJsoncMember(text, {client.section, kServerName}, entry);
}

Result<std::string> WithoutServer(const std::string& text, const Client& client) {
  switch (client.format) {
    case FileFormat::kToml:
      return RemoveTomlTable(text, client.section, kServerName);
    case FileFormat::kYaml:
      return RemoveYamlServer(text, kServerName);
    case FileFormat::kJson:
      break;
  }
  return RemoveJsoncMember(text, {client.section, kServerName});
}

std::string EntryText(const Client& client, const ServerAddress& to) {
  const auto text = WithServer("", client, to);
  return text ? *text : "";
}

Result<std::string> ReadSettings(const std::string& file) {
  std::error_code none;
  if (!fs::exists(file, none)) return std::string();
  return ReadFile(file, kMaxSettingsBytes);
}

Result<std::string> WriteSettings(const std::string& file, const std::string& text) {
  std::error_code error;
  const std::string target = fs::exists(file, error) ? fs::canonical(file, error).string() : file;
  if (error) return Fail(ErrorCode::kIo, file + ": " + error.message(), "check the file's folder and rights");
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) {
    if (auto written = WriteFileAtomic(target, text); !written) return tl::make_unexpected(written.error());
    return std::string();
  }
  const unsigned mode = status.st_mode & 07777U;
  const auto old = ReadSettings(target);
  if (!old) return old;
  const std::string backup = target + ".before-" + kServerName;
  if (auto kept = WriteFileAtomic(backup, *old, mode); !kept) return tl::make_unexpected(kept.error());
  if (auto written = WriteFileAtomic(target, text, mode); !written)
    return tl::make_unexpected(written.error());
  return backup;
}

}  // namespace helix::mcp
