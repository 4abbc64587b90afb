#include "core/backend/sglang.h"

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

std::vector<TokenId> Ids(const Json& object) {
  std::vector<TokenId> ids;
  if (const Json* list = Find(object, "output_ids"); list != nullptr && list->is_array())
    for (const Json& id : *list)
      if (id.is_number_integer()) ids.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
  return ids;
}

std::optional<std::int64_t> ToCount(const std::optional<double>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

Status CheckFinish(const Json& object, EngineRead& read) {
  auto type = StringAt(object, "meta_info/finish_reason/type");
  if (!type) type = StringAt(object, "meta_info/finish_reason");
  if (!type) return {};
  if (*type == "abort")
    return Fail(ErrorCode::kProtocol, "the server aborted the request: " +
                                          StringAt(object, "meta_info/finish_reason/message").value_or(""));
  read.reply.finish = *type;
  read.finished = true;
  return {};
}

void ReadCounts(const Json& object, GenerateReply& reply) {
  if (auto prompt = IntAt(object, "meta_info/prompt_tokens"))
    reply.prompt_tokens = {*prompt, Origin::kServer};
  if (auto output = IntAt(object, "meta_info/completion_tokens"))
    reply.output_tokens = {*output, Origin::kServer};
  if (auto cached = IntAt(object, "meta_info/cached_tokens"))
    reply.cached_tokens = {*cached, Origin::kServer};
  const auto forward = NumberAt(object, "meta_info/forward_entry_time");
  const auto prefilled = NumberAt(object, "meta_info/prefill_finished_time");
  if (forward && prefilled && *prefilled >= *forward)
    reply.prefill_ms = {(*prefilled - *forward) * 1000, Origin::kServer};
}

}  // namespace

Sglang::Sglang(const EngineOptions& options) : EngineBackend(options) {
  can_.token_ids_in = can_.tokenizer = true;
  can_.cold_methods = {ColdMethod::kSalt, ColdMethod::kFlush};
}

Result<Identity> Sglang::Identify(const RunContext& context) {
  auto info = GetObject("/server_info", context);
  if (!info || !Find(*info, "page_size")) info = GetObject("/get_server_info", context);
  if (!info || (!Find(*info, "page_size") && !Find(*info, "disable_radix_cache")))
    return Fail(ErrorCode::kProtocol, "/server_info does not answer as SGLang does");
  if (model_.empty()) model_ = StringAt(*info, "served_model_name").value_or(FirstModel(context));
  LearnMetrics(context);
  Identity found;
  found.kind = "sglang";
  found.endpoint = questions_.client().base_url();
  found.build = StringAt(*info, "version").value_or("");
  found.model_id = model_;
  found.context_per_slot =
      IntAt(*info, "context_length").value_or(IntAt(*info, "max_req_input_len").value_or(0));
  if (const auto page = IntAt(*info, "page_size"); page && *page > 0)
    can_.block_size = static_cast<int>(*page);
  for (const char* key : {"page_size", "disable_radix_cache", "attention_backend", "enable_cache_report",
                          "enable_deterministic_inference", "chunked_prefill_size"})
    if (const Json* value = Find(*info, key)) found.facts[key] = *value;
  return found;
}

Json Sglang::Parameters(const GenerateRequest& request) const {
  return {{"sampling_params",
           {{"max_new_tokens", request.output_tokens},
            {"temperature", 0},
            {"top_p", 1},
            {"top_k", -1},
            {"min_p", 0},
            {"repetition_penalty", 1},
            {"frequency_penalty", 0},
            {"presence_penalty", 0},
            {"ignore_eos", true}}},
          {"stream", request.stream}};
}

Json Sglang::Body(const GenerateRequest& request, const std::string& salt) const {
  Json body = Parameters(request);
  if (request.prompt.empty()) {
    body["text"] = request.text;
  } else {
    body["input_ids"] = request.prompt;
  }
  if (!salt.empty()) body["extra_key"] = salt;
  return body;
}

// Text and ids of a stream are cumulative unless the server was started with --incremental-streaming-output:
// the count of generated tokens tells which.
Status Sglang::Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const {
  if (!Find(object, "meta_info")) return Fail(ErrorCode::kProtocol, "expected \"meta_info\" from /generate");
  if (IntAt(object, "meta_info/num_retractions").value_or(0) > 0)
    return Fail(ErrorCode::kProtocol, "the request was retracted: its counters count twice",
                "give the server more room, or fewer requests at once");
  GenerateReply& reply = read.reply;
  const auto ids = Ids(object);
  const auto text = StringAt(object, "text").value_or("");
  ReadCounts(object, reply);
  const bool cumulative =
      !streamed || static_cast<std::int64_t>(ids.size()) == reply.output_tokens.optional().value_or(-1);
  if (cumulative) {
    reply.tokens = ids;
    reply.text = text;
  } else {
    reply.tokens.insert(reply.tokens.end(), ids.begin(), ids.end());
    reply.text += text;
  }
  if (!reply.tokens.empty() && !read.first_token_ns) {
    read.first_token_ns = t_ns;
    read.tokens_at_first = static_cast<std::int64_t>(reply.tokens.size());
  }
  if (read.reply.output_tokens.present() &&
      static_cast<std::int64_t>(reply.tokens.size()) != reply.output_tokens.value())
    read.ids_complete = false;
  HELIX_TRY(CheckFinish(object, read));
  if (!streamed && !read.finished) return Fail(ErrorCode::kProtocol, "the reply has no finish_reason");
  return {};
}

Status Sglang::Flush(const RunContext& context) {
  auto response =
      questions_.client().Send(questions_.PostRequest("/flush_cache", "", Millis{30'000}), context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status == 400)
    return Fail(ErrorCode::kUnavailable, "SGLang flushed nothing: it is working on requests",
                "wait until it is idle");
  if (response->status != 200)
    return Fail(ErrorCode::kProtocol, "/flush_cache answered " + std::to_string(response->status));
  return {};
}

WorkCounters Sglang::Counters(const Json& metrics) const {
  WorkCounters work;
  work.cached = ToCount(MetricSum(metrics, "sglang:cached_tokens_total"));
  const auto prompt = ToCount(MetricSum(metrics, "sglang:prompt_tokens_total"));
  if (prompt && work.cached) work.processed = *prompt - *work.cached;
  work.predicted = ToCount(MetricSum(metrics, "sglang:generation_tokens_total"));
  return work;
}

std::optional<double> Sglang::Running(const Json& metrics) const {
  return MetricSum(metrics, "sglang:num_running_reqs");
}

}  // namespace helix::backend
