// Exit codes of a subcommand (contract: 0 PASS, 1 FAIL, 2 usage or input error, 3 INCONCLUSIVE, 77 SKIP).
#pragma once
#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::mcp {

inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;  // what a shell says of a program that ended on SIGINT

// From the result's `verdict`; a result without one of the four words is a success.
int ExitCode(const Json& result);
int ExitCode(const Error& error);

}  // namespace helix::mcp
