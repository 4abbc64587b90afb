// The body of llama-server's POST /completion.
#pragma once
#include "core/backend/backend.h"

namespace helix::backend {

// Strict greedy decoding whatever the server's or the model file's own sampler defaults are: temperature 0,
// one candidate, every penalty neutral, fixed seed. The end-of-generation token is masked, so that both arms
// generate exactly output_tokens. Chunk reuse by KV shift is off: it is not lossless. The reply leaves out
// the prompt.
Json LlamaCompletionBody(const GenerateRequest& request);

// The part of the body that must be equal in both arms of a pair: everything but the prompt and the cache
// switch.
Json LlamaSamplingParams(const GenerateRequest& request);

}  // namespace helix::backend
