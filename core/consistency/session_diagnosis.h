// Session logs and captures, from files or whole folders.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/cost/prices.h"

namespace helix::consistency {

struct SessionOptions {
  std::vector<std::string> paths;  // files, or folders searched for *.jsonl
  std::string backend;             // for captures: who answered
  std::size_t most_turns = 200;    // turns and breaks listed in the answer; totals cover all of them
};

// Reports progress per file. kNotFound when there is no file, kCancelled when stopped; captures and session
// logs cannot be mixed in one call (kInvalidArgument).
Result<Json> DiagnoseSessions(const SessionOptions& options, const cost::PriceTable& prices,
                              const RunContext& context);

}  // namespace helix::consistency
