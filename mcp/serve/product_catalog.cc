#include "mcp/serve/product_catalog.h"

#include "mcp/jobs/job_tasks.h"
#include "mcp/protocol/tool_adapter.h"
#include "mcp/resources/report_resources.h"
#include "mcp/serve/instructions.h"
#include "mcp/serve/prompts.h"

namespace helix::mcp {

namespace {

std::vector<ServerTool> Served(const std::vector<Tool>& tools, const Settings& settings,
                               const std::shared_ptr<JobRunner>& runner) {
  const KeepWhole keep = [dir = settings.report_dir](const Json& result) { return KeepResult(dir, result); };
  std::vector<ServerTool> all;
  for (const auto& tool : tools) {
    const bool is_long = tool.duration == ToolDuration::kLong;
    auto served = AdaptTool(is_long ? WithJobs(tool, runner) : tool, settings, keep);
    if (is_long) served.start_task = StartAsTask(tool, settings, runner);
    all.push_back(std::move(served));
  }
  return all;
}

}  // namespace

Catalog ProductCatalog(ToolSource tools, const Settings& settings, std::shared_ptr<JobRunner> runner) {
  Catalog catalog;
  catalog.instructions = Instructions();
  catalog.late_tools = [tools, settings, runner = std::move(runner)] {
    return Served(tools(), settings, runner);
  };
  catalog.prompts = ProductPrompts();
  catalog.resources = ReportResources(settings.report_dir);
  catalog.tasks = JobTasks(settings.report_dir);
  return catalog;
}

}  // namespace helix::mcp
