// A llama-server's own chat template and tokenizer.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/consistency/request_body.h"
#include "core/net/http_client.h"

namespace helix::consistency {

// Not thread-safe. `base_url` must have passed the endpoint policy. Errors: kUnavailable, kProtocol as the
// server answers.
class TemplateServer {
 public:
  TemplateServer(const std::string& base_url, std::string api_key, const RunContext& context);

  // POST /apply-template. `open_answer`: with the words that open the model's answer.
  Result<std::string> Prompt(Json body, bool open_answer);
  // POST /tokenize, special tokens included.
  Result<std::vector<std::int32_t>> Tokens(const std::string& prompt);
  // Both for one request, whatever its wire shape; `notes` gets what the translation left out. A raw prompt
  // is tokenized as it is, a prompt of token ids is returned.
  Result<std::vector<std::int32_t>> PromptTokens(const RequestBody& request, std::vector<std::string>& notes);

 private:
  Result<Json> Post(const std::string& path, const Json& body);

  net::HttpClient client_;
  std::string api_key_;
  RunContext context_;
};

}  // namespace helix::consistency
