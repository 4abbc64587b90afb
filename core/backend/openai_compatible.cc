#include "core/backend/openai_compatible.h"

#include "core/backend/vllm.h"
#include "core/base/json_fields.h"

namespace helix::backend {

OpenAiCompatible::OpenAiCompatible(const EngineOptions& options) : EngineBackend(options) {}

Result<Identity> OpenAiCompatible::Identify(const RunContext& context) {
  const auto models = GetObject("/v1/models", context);
  if (!models || !Find(*models, "data"))
    return Fail(ErrorCode::kProtocol, "/v1/models does not answer as an OpenAI-compatible server does");
  if (model_.empty()) model_ = FirstModel(context);
  Identity found;
  found.kind = "openai-compatible";
  found.endpoint = questions_.client().base_url();
  found.model_id = model_;
  return found;
}

Json OpenAiCompatible::Parameters(const GenerateRequest& request) const {
  Json body{{"max_tokens", request.output_tokens}, {"temperature", 0}};
  if (request.stream) {
    body["stream"] = true;
    body["stream_options"] = Json{{"include_usage", true}};
  }
  return body;
}

Json OpenAiCompatible::Body(const GenerateRequest& request, const std::string& /*salt*/) const {
  Json body = Parameters(request);
  body["model"] = model_;
  body["prompt"] = request.text;
  return body;
}

// LM Studio adds stats of its own; its time to first token is the server's and no prefill time.
Status OpenAiCompatible::Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const {
  HELIX_TRY(ReadOpenAiCompletion(object, streamed, t_ns, read));
  read.ids_complete = false;
  return {};
}

}  // namespace helix::backend
