// Jobs as tasks of the 2026-07-28 tasks extension.
#pragma once
#include <memory>
#include <string>

#include "mcp/jobs/job_runner.h"
#include "mcp/protocol/catalog.h"

namespace helix::mcp {

std::shared_ptr<TaskSource> JobTasks(const std::string& report_dir);

// Starts `tool` as a job and answers with the task that stands for it.
CallHandler StartAsTask(const Tool& tool, const Settings& settings, std::shared_ptr<JobRunner> runner);

}  // namespace helix::mcp
