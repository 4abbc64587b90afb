#include "mcp/tools/run_arguments.h"

#include <algorithm>
#include <limits>

#include "core/base/json_fields.h"

namespace helix::mcp {

Json TextSchema(const std::string& description) {
  return {{"type", "string"}, {"description", description}};
}

Json WholeSchema(std::int64_t least, std::int64_t most, const std::string& description) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}, {"description", description}};
}

Json SeedSchema(const std::string& description) {
  return {{"type", "integer"},
          {"minimum", 0},
          {"maximum", 9007199254740991},
          {"default", 1},
          {"description", description}};
}

Json LlamaTargetProperties(const std::string& managed, const std::string& profile) {
  Json out = Json::object();
  out["endpoint"] = TextSchema(
      "Base URL of a running llama-server, such as http://localhost:8080. Without it the configured one. "
      "Only "
      "loopback addresses and those the user allowed are called.");
  out["managed"] = {{"type", "boolean"}, {"default", false}, {"description", managed}};
  out["profile"] = {{"type", "string"},
                    {"enum", {"quick", "standard", "thorough"}},
                    {"default", "quick"},
                    {"description", profile}};
  return out;
}

Json ManagedCliProperties() {
  Json out = Json::object();
  out["server"] =
      TextSchema("The llama-server program of --managed (HELIX_LLAMA_SERVER; else the one in PATH).");
  out["model"] =
      TextSchema("The GGUF file of --managed (HELIX_MODEL; else a small model with random weights is made).");
  out["out"] = TextSchema("Write a copy of the report to this file.");
  return out;
}

std::optional<int> SmallInt(const Json& arguments, const char* name) {
  const auto value = IntAt(arguments, name);
  if (!value) return std::nullopt;
  return static_cast<int>(
      std::clamp<std::int64_t>(*value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

tracks::TargetRequest TargetArguments(const Json& arguments, const Settings& settings) {
  tracks::TargetRequest out;
  out.managed = BoolAt(arguments, "managed").value_or(false);
  out.endpoint = StringAt(arguments, "endpoint");
  if (settings.from_agent) return out;
  out.server = StringAt(arguments, "server");
  out.model_file = StringAt(arguments, "model");
  return out;
}

}  // namespace helix::mcp
