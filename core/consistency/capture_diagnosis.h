// A captured conversation, exchange by exchange: what each request shared with the best one before it, what
// was reported, and what broke.
#pragma once
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/consistency/capture_file.h"

namespace helix::consistency {

// {"verdict", "exchanges", "totals", "turns": [...], "breaks": [...]}. The verdict is that of the break that
// lost most bytes; OK_APPEND_ONLY when nothing broke; UNCONFIRMED when there are fewer than two comparable
// requests.
Result<Json> DiagnoseCapture(const std::vector<CapturedExchange>& exchanges, const std::string& backend);

}  // namespace helix::consistency
