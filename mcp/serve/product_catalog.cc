#include "mcp/serve/product_catalog.h"

#include "mcp/jobs/job_tasks.h"
#include "mcp/protocol/tool_adapter.h"
#include "mcp/resources/report_resources.h"
#include "mcp/serve/instructions.h"
#include "mcp/serve/prompts.h"

namespace helix::mcp {

Catalog ProductCatalog(const std::vector<Tool>& tools, const Settings& settings,
                       std::shared_ptr<JobRunner> runner) {
  const KeepWhole keep = [dir = settings.report_dir](const Json& result) { return KeepResult(dir, result); };
  Catalog catalog;
  catalog.instructions = Instructions();
  for (const auto& tool : tools) {
    const bool is_long = tool.duration == ToolDuration::kLong;
    auto served = AdaptTool(is_long ? WithJobs(tool, runner) : tool, settings, keep);
    if (is_long) served.start_task = StartAsTask(tool, settings, runner);
    catalog.tools.push_back(std::move(served));
  }
  catalog.prompts = ProductPrompts();
  catalog.resources = ReportResources(settings.report_dir);
  catalog.tasks = JobTasks(settings.report_dir);
  return catalog;
}

}  // namespace helix::mcp
