// What the product's server offers: its tools, reports, prompts and instructions.
#pragma once
#include <memory>
#include <vector>

#include "core/base/settings.h"
#include "mcp/jobs/job_runner.h"
#include "mcp/protocol/catalog.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

// Long tools run as jobs of `runner`.
Catalog ProductCatalog(ToolSource tools, const Settings& settings, std::shared_ptr<JobRunner> runner);

}  // namespace helix::mcp
