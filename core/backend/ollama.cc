#include "core/backend/ollama.h"

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

constexpr double kNsPerMs = 1e6;

}  // namespace

Ollama::Ollama(const EngineOptions& options) : EngineBackend(options) {
  can_.cold_methods = {ColdMethod::kRestart};
}

Result<Identity> Ollama::Identify(const RunContext& context) {
  const auto version = GetObject("/api/version", context);
  if (!version || !StringAt(*version, "version"))
    return Fail(ErrorCode::kProtocol, "/api/version does not answer as Ollama does");
  if (model_.empty())
    if (const auto tags = GetObject("/api/tags", context))
      if (const Json* list = Find(*tags, "models"); list != nullptr && list->is_array() && !list->empty())
        model_ = StringAt(list->front(), "name").value_or("");
  Identity found;
  found.kind = "ollama";
  found.endpoint = questions_.client().base_url();
  found.build = StringAt(*version, "version").value_or("");
  found.model_id = model_;
  return found;
}

Json Ollama::Parameters(const GenerateRequest& request) const {
  return {{"options",
           {{"num_predict", request.output_tokens},
            {"temperature", 0},
            {"seed", 42},
            {"top_k", 1},
            {"top_p", 1},
            {"min_p", 0},
            {"repeat_penalty", 1}}},
          {"raw", true},
          {"truncate", false},
          {"shift", false},
          {"keep_alive", -1},
          {"stream", request.stream}};
}

Json Ollama::Body(const GenerateRequest& request, const std::string& /*salt*/) const {
  Json body = Parameters(request);
  body["model"] = model_;
  body["prompt"] = request.text;
  return body;
}

// Durations are nanoseconds and every field may be left out: an absent count is not zero.
Status Ollama::Read(const Json& object, bool /*streamed*/, std::int64_t t_ns, EngineRead& read) const {
  GenerateReply& reply = read.reply;
  const auto text = StringAt(object, "response");
  if (!text) return Fail(ErrorCode::kProtocol, "expected \"response\" from /api/generate");
  reply.text += *text;
  read.ids_complete = false;
  if (!text->empty() && !read.first_token_ns) read.first_token_ns = t_ns;
  if (!BoolAt(object, "done").value_or(false)) return {};
  read.finished = true;
  reply.finish = StringAt(object, "done_reason").value_or("");
  reply.model = StringAt(object, "model").value_or("");
  if (auto prompt = IntAt(object, "prompt_eval_count")) reply.prompt_tokens = {*prompt, Origin::kServer};
  if (auto cached = IntAt(object, "prompt_eval_cached_count"))
    reply.cached_tokens = {*cached, Origin::kServer};
  if (auto output = IntAt(object, "eval_count")) reply.output_tokens = {*output, Origin::kServer};
  if (auto prefill = NumberAt(object, "prompt_eval_duration"))
    reply.prefill_ms = {*prefill / kNsPerMs, Origin::kServer};
  if (auto decode = NumberAt(object, "eval_duration"))
    reply.decode_ms = {*decode / kNsPerMs, Origin::kServer};
  return {};
}

Status Ollama::Flush(const RunContext& context) {
  for (const Json& body :
       {Json{{"model", model_}, {"keep_alive", 0}}, Json{{"model", model_}, {"keep_alive", -1}}}) {
    auto reply = questions_.PostJson("/api/generate", body, context);
    if (!reply) return tl::make_unexpected(std::move(reply.error()));
  }
  return {};
}

}  // namespace helix::backend
