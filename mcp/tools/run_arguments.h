// Arguments that several measuring tools share: one name, one text, one way to read them.
#pragma once
#include <optional>
#include <string>

#include "core/tracks/target.h"

namespace helix::mcp {

Json TextSchema(const std::string& description);
Json WholeSchema(std::int64_t least, std::int64_t most, const std::string& description);
Json SeedSchema(const std::string& description);

// Of the tools that measure a llama-server: endpoint, managed and profile, with their own words for what the
// last two mean.
Json LlamaTargetProperties(const std::string& managed, const std::string& profile);
// What only a command line user may name: server, model, out.
Json ManagedCliProperties();

// The range is checked where it is known; what no int holds becomes its edge.
std::optional<int> SmallInt(const Json& arguments, const char* name);
// Programs and files only where a command line user named them.
tracks::TargetRequest TargetArguments(const Json& arguments, const Settings& settings);

}  // namespace helix::mcp
