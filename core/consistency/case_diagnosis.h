// One diagnosis by kind: what `diagnose-miss --case FILE` and the agent's `case` argument run.
#pragma once
#include <functional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::consistency {

// Reads a JSON file that a case names in `file` or `files`.
using CaseFileReader = std::function<Result<Json>(const std::string& path)>;

// `one` holds `kind` (request_pair, reply, reply_trace, log, server_facts, trace, equivalence) and `input`.
// kInvalidArgument when it does not; errors of `read_file` are passed on.
Result<Json> DiagnoseCase(const Json& one, const CaseFileReader& read_file);

}  // namespace helix::consistency
