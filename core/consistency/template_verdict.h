// What the server's own template adds to a diagnosis of two bodies.
#pragma once
#include "core/base/json.h"
#include "core/consistency/request_body.h"
#include "core/consistency/template_stage.h"

namespace helix::consistency {

// Puts `template`, `lost.tokens` and `divergence.token` into `result`. Where the bodies are append-only and
// the rendered prompts are not, the stage becomes "template" and the verdict REASONING_DROPPED (the earlier
// request holds reasoning), MID_SYSTEM_HOISTED (the later one adds a system message), else UNCONFIRMED.
void PutTemplateStage(const TemplateStage& stage, const RequestBody& a, const RequestBody& b, Json& result);

}  // namespace helix::consistency
