#include "core/backend/vllm.h"

#include <charconv>

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

// block_size="16" in the labels of vllm:cache_config_info.
std::optional<std::string> CacheConfig(const Json& metrics, const std::string& label) {
  for (const auto& [key, value] : metrics.items()) {
    if (key.rfind("vllm:cache_config_info{", 0) != 0) continue;
    const std::string mark = label + "=\"";
    const auto at = key.find(mark);
    if (at == std::string::npos) return std::nullopt;
    const auto begin = at + mark.size();
    return key.substr(begin, key.find('"', begin) - begin);
  }
  return std::nullopt;
}

int BlockSize(const Json& metrics) {
  const auto text = CacheConfig(metrics, "block_size");
  int size = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), size);
  return size;
}

std::optional<std::int64_t> ToCount(const std::optional<double>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

}  // namespace

Status ReadOpenAiCompletion(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) {
  GenerateReply& reply = read.reply;
  const Json* choices = Find(object, "choices");
  if (choices == nullptr || !choices->is_array())
    return Fail(ErrorCode::kProtocol, "expected \"choices\" in the completion");
  if (auto model = StringAt(object, "model")) reply.model = *model;
  for (const Json& choice : *choices) {
    const std::string text =
        StringAt(choice, "text")
            .value_or(
                StringAt(choice, "message/content").value_or(StringAt(choice, "delta/content").value_or("")));
    reply.text += text;
    const Json* ids = Find(choice, "token_ids");
    const std::size_t before = reply.tokens.size();
    if (ids != nullptr && ids->is_array())
      for (const Json& id : *ids)
        if (id.is_number_integer()) reply.tokens.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
    if (!text.empty() && reply.tokens.size() == before) read.ids_complete = false;
    if ((!text.empty() || reply.tokens.size() > before) && !read.first_token_ns) {
      read.first_token_ns = t_ns;
      read.tokens_at_first = static_cast<std::int64_t>(reply.tokens.size());
    }
    if (auto finish = StringAt(choice, "finish_reason")) {
      if (*finish == "abort") return Fail(ErrorCode::kProtocol, "the server aborted the request");
      reply.finish = *finish;
      read.finished = true;
    }
  }
  if (!streamed && !read.finished) return Fail(ErrorCode::kProtocol, "the completion has no finish_reason");
  if (auto prompt = IntAt(object, "usage/prompt_tokens")) reply.prompt_tokens = {*prompt, Origin::kServer};
  if (auto output = IntAt(object, "usage/completion_tokens"))
    reply.output_tokens = {*output, Origin::kServer};
  if (auto cached = IntAt(object, "usage/prompt_tokens_details/cached_tokens"))
    reply.cached_tokens = {*cached, Origin::kServer};
  return {};
}

Vllm::Vllm(const EngineOptions& options) : EngineBackend(options) {
  can_.token_ids_in = can_.tokenizer = can_.logprobs = true;
  can_.cold_methods = {ColdMethod::kSalt};
}

Result<Identity> Vllm::Identify(const RunContext& context) {
  const auto version = GetObject("/version", context);
  if (!version || !StringAt(*version, "version"))
    return Fail(ErrorCode::kProtocol, "/version does not answer as vLLM does");
  Json entry = Json::object();
  const std::string first = FirstModel(context, &entry);
  if (model_.empty()) model_ = first;
  LearnMetrics(context);
  Identity found;
  found.kind = "vllm";
  found.endpoint = questions_.client().base_url();
  found.build = StringAt(*version, "version").value_or("");
  found.model_id = model_;
  found.context_per_slot = IntAt(entry, "max_model_len").value_or(0);
  const int block = BlockSize(metrics_now_);
  if (block > 0) can_.block_size = block;
  found.facts["block_size"] =
      block > 0 ? Json(block) : Json(nullptr);  // null: 16 is the default, and not proven
  found.facts["enable_prefix_caching"] = OrNull(CacheConfig(metrics_now_, "enable_prefix_caching"));
  if (block <= 0) can_.block_size = 16;
  return found;
}

Json Vllm::Parameters(const GenerateRequest& request) const {
  Json body{{"max_tokens", request.output_tokens},
            {"temperature", 0},
            {"top_p", 1},
            {"top_k", 0},
            {"min_p", 0},
            {"repetition_penalty", 1},
            {"presence_penalty", 0},
            {"frequency_penalty", 0},
            {"seed", 42},
            {"ignore_eos", true},
            {"return_token_ids", true},
            {"stream", request.stream}};
  if (request.stream) body["stream_options"] = Json{{"include_usage", true}};
  if (request.top_logprobs > 0) body["logprobs"] = request.top_logprobs;
  return body;
}

Json Vllm::Body(const GenerateRequest& request, const std::string& salt) const {
  Json body = Parameters(request);
  body["model"] = model_;
  body["prompt"] = request.prompt.empty() ? Json(request.text) : Json(request.prompt);
  if (!salt.empty()) body["cache_salt"] = salt;
  return body;
}

Status Vllm::Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const {
  HELIX_TRY(ReadOpenAiCompletion(object, streamed, t_ns, read));
  if (auto prefill = NumberAt(object, "metrics/time_to_first_token_ms"))
    read.reply.prefill_ms = {*prefill, Origin::kServer};
  if (auto decode = NumberAt(object, "metrics/generation_time_ms"))
    read.reply.decode_ms = {*decode, Origin::kServer};
  return {};
}

// 200 with an empty body on servers before July 2026 even when nothing was reset.
Status Vllm::Flush(const RunContext& context) {
  auto response =
      questions_.client().Send(questions_.PostRequest("/reset_prefix_cache", "", Millis{30'000}), context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status == 404)
    return Fail(ErrorCode::kUnavailable, "this vLLM has no /reset_prefix_cache",
                "start it with VLLM_SERVER_DEV_MODE=1, on loopback only");
  const auto json = ParseJson(response->body);
  const auto success = json ? BoolAt(*json, "success") : std::nullopt;
  if (response->status != 200 || success == false)
    return Fail(ErrorCode::kProtocol, "vLLM did not reset its cache: it is in use");
  return {};
}

WorkCounters Vllm::Counters(const Json& metrics) const {
  WorkCounters work;
  auto cached = ToCount(MetricSum(metrics, "vllm:prompt_tokens_cached_total"));
  if (!cached) cached = ToCount(MetricSum(metrics, "vllm:prefix_cache_hits_total"));
  if (!cached) cached = ToCount(MetricSum(metrics, "vllm:gpu_prefix_cache_hits_total"));
  const auto prompt = ToCount(MetricSum(metrics, "vllm:prompt_tokens_total"));
  work.cached = cached;
  if (prompt && cached) work.processed = *prompt - *cached;
  work.predicted = ToCount(MetricSum(metrics, "vllm:generation_tokens_total"));
  return work;
}

std::optional<double> Vllm::Running(const Json& metrics) const {
  return MetricSum(metrics, "vllm:num_requests_running");
}

}  // namespace helix::backend
