// Reports, kept results and the measurement guide as MCP resources.
//   helix://reports/{digest}   a report of the report folder, by the SHA-256 of its file
//   helix://results/{digest}   a tool's result that was too long for its answer
//   helix://guide/measurement  what every number means
#pragma once
#include <memory>
#include <string>

#include "mcp/protocol/catalog.h"

namespace helix::mcp {

std::shared_ptr<ResourceSource> ReportResources(const std::string& report_dir);

// Writes a result into the report folder and returns its URI; empty when it cannot be written.
std::string KeepResult(const std::string& report_dir, const Json& result);

}  // namespace helix::mcp
