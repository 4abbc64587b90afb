// A job as a tool's answer.
#pragma once
#include "core/base/run_context.h"
#include "mcp/jobs/job_store.h"

namespace helix::mcp {

// {"status","job_id","tool","progress"} and, by status, `result` with its `verdict` on top, or `error`.
Json JobAnswer(const JobStore& store, const JobState& state);

// Reads the job's files until it no longer runs, `max_wait_s` have passed or the caller is cancelled. Passes
// its progress on.
Result<JobState> WaitForJob(const JobStore& store, const std::string& id, double max_wait_s,
                            const RunContext& run);

// Properties and output of every tool that can answer with a job.
Json MaxWaitProperty();
Json JobProperties();

}  // namespace helix::mcp
