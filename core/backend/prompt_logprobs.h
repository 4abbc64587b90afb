// Log-probabilities of a prompt's own tokens, from a server that really computes them: vLLM or SGLang. Others
// take the request and answer with generated tokens only (llama-server, ggml-org/llama.cpp#27174); that is
// found out, not assumed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"

namespace helix::backend {

struct PromptToken {
  std::string text;
  std::optional<double> logprob;  // absent for the first token
};

struct PromptLogprobs {
  std::string server;  // "vllm" or "sglang": whose form the answer has
  std::vector<PromptToken> tokens;
};

// `base_url`: origin, checked against the endpoint policy by the caller. The tokens' texts joined are `text`
// again. kNotFound with "prompt_logprobs: unsupported" when the server does not give one log-probability for
// each token of the prompt; kUnavailable when it does not answer.
Result<PromptLogprobs> FetchPromptLogprobs(const std::string& base_url, const std::string& api_key,
                                           const std::string& text, const RunContext& context);

// The same from a reply's JSON: of /v1/completions, and of SGLang's /generate. kNotFound as above.
Result<PromptLogprobs> ReadCompletionLogprobs(const Json& reply, const std::string& text);
Result<PromptLogprobs> ReadGenerateLogprobs(const Json& reply, const std::string& text);

}  // namespace helix::backend
