#include "core/backend/llama_request.h"

namespace helix::backend {
namespace {

// What the final object of a reply should hold. The prompt is left out: it would be sent back whole.
const char* const kReplyFields[] = {"index",
                                    "content",
                                    "tokens",
                                    "id_slot",
                                    "stop",
                                    "model",
                                    "tokens_predicted",
                                    "tokens_evaluated",
                                    "truncated",
                                    "stop_type",
                                    "stopping_word",
                                    "tokens_cached",
                                    "timings",
                                    "has_new_line",
                                    "completion_probabilities",
                                    "generation_settings"};

}  // namespace

Json LlamaSamplingParams(const GenerateRequest& request) {
  Json body = {{"n_predict", request.output_tokens},
               {"temperature", 0},
               {"samplers", Json::array({"temperature"})},
               {"top_k", 1},
               {"top_p", 1.0},
               {"min_p", 0.0},
               {"typical_p", 1.0},
               {"repeat_penalty", 1.0},
               {"presence_penalty", 0.0},
               {"frequency_penalty", 0.0},
               {"dry_multiplier", 0.0},
               {"xtc_probability", 0.0},
               {"mirostat", 0},
               {"seed", 42},
               {"backend_sampling", false},
               {"ignore_eos", true},
               {"n_cache_reuse", 0},
               {"id_slot", request.slot},
               {"stream", request.stream}};
  if (!request.stream) body["return_tokens"] = true;
  if (request.top_logprobs > 0) {
    body["n_probs"] = request.top_logprobs;
    body["post_sampling_probs"] = false;
  }
  return body;
}

Json LlamaCompletionBody(const GenerateRequest& request) {
  Json body = LlamaSamplingParams(request);
  body["cache_prompt"] = request.use_cache;
  body["response_fields"] = kReplyFields;
  body["prompt"] = request.prompt;
  return body;
}

}  // namespace helix::backend
