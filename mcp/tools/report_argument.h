// How analyze_report and verify_report are told which report they are about.
#pragma once
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/settings.h"

namespace helix::mcp {

// The property "id" of an agent: run id or digest of a report in the report folder.
Json ReportIdSchema();
// The property "file" of the command line.
Json ReportFileSchema();
// The path that `file` or `id` names; kInvalidArgument unless exactly one of them is given.
Result<std::string> ReportPath(const Json& arguments, const Settings& settings);

}  // namespace helix::mcp
