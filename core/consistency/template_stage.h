// Two requests through a llama-server's own chat template and tokenizer: where its prompts part, to the
// token.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/consistency/request_body.h"

namespace helix::consistency {

struct TemplateStage {
  std::int64_t tokens_a = 0;
  std::int64_t tokens_b = 0;
  std::int64_t stable_a =
      0;  // of a without the words that open the answer: what an append-only b shares at least
  std::int64_t common = 0;     // longest common prefix in tokens
  std::int64_t predicted = 0;  // reuse that the server should report for b after a, one generated token ago
  std::int64_t lost = 0;       // tokens of a that b has to read again although a stays resident
  std::size_t byte = 0;        // first differing byte of the two prompts
  std::string context_a;       // at most 40 bytes either side
  std::string context_b;
  std::vector<std::string> notes;  // what the translation to the template's shape left out
};

// Calls /apply-template and /tokenize of the llama-server at `base_url`, which must have passed the endpoint
// policy. Anthropic bodies are translated to OpenAI's shape first. kUnavailable, kProtocol as the server
// answers.
Result<TemplateStage> CompareThroughTemplate(const RequestBody& a, const RequestBody& b,
                                             const std::string& base_url, const std::string& api_key,
                                             const RunContext& context);

Json ToJson(const TemplateStage& stage);

// The body in the shape that /apply-template takes.
Json ToTemplateBody(const RequestBody& request, std::vector<std::string>& notes);

}  // namespace helix::consistency
