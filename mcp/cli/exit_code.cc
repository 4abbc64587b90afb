#include "mcp/cli/exit_code.h"

#include "core/base/json_fields.h"

namespace helix::mcp {

int ExitCode(const Json& result) {
  const auto verdict = StringAt(result, "verdict");
  if (verdict == "FAIL") return 1;
  if (verdict == "INCONCLUSIVE") return 3;
  if (verdict == "SKIP") return 77;
  return 0;
}

int ExitCode(const Error& error) {
  return error.code == ErrorCode::kCancelled ? kExitInterrupted : kExitUsage;
}

}  // namespace helix::mcp
