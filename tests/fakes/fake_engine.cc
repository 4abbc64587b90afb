#include "tests/fakes/fake_engine.h"

#include <algorithm>

#include "core/base/json_fields.h"

namespace helix::fakes {
namespace {

constexpr int kBytesPerToken = 4;
constexpr double kPrefillMsPerToken = 0.05;

std::vector<int> TokensOf(const std::string& text) {
  std::vector<int> ids;
  for (std::size_t at = 0; at < text.size(); at += kBytesPerToken) {
    int id = 0;
    for (const char c : text.substr(at, kBytesPerToken))
      id = (id * 31 + static_cast<unsigned char>(c)) % 30000;
    ids.push_back(id + 1);
  }
  return ids;
}

std::vector<int> PromptOf(const Json& body) {
  if (const Json* messages = Find(body, "messages"); messages != nullptr && !messages->empty())
    return TokensOf(StringAt(messages->front(), "content").value_or(""));
  for (const char* key : {"prompt", "input_ids", "text"}) {
    const Json* value = Find(body, key);
    if (value == nullptr) continue;
    if (value->is_string()) return TokensOf(value->get<std::string>());
    if (value->is_array()) return value->get<std::vector<int>>();
  }
  return {};
}

std::string TextOfIds(const std::vector<int>& ids, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += static_cast<char>('a' + ids[i] % 26);
  return text;
}

}  // namespace

FakeEngine::FakeEngine(EnginePersonality personality)
    : is_(std::move(personality)),
      loading_(is_.loading_replies),
      server_([this](const ReceivedRequest& request, FakeConnection& connection) {
        Answer(request, connection);
      }) {}

void FakeEngine::Answer(const ReceivedRequest& request, FakeConnection& connection) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const auto json = [&](const Json& body) { connection.Reply(200, DumpJson(body)); };
  {
    const std::lock_guard lock(mutex_);
    if (loading_ > 0) {
      --loading_;
      connection.Reply(503, R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})");
      return;
    }
  }
  const std::string& kind = is_.kind;
  auto body = ParseJson(request.body);
  if (path == "/health") return void(connection.Reply(200, ""));
  if (path == "/metrics" && is_.has_metrics && kind != "ollama" && kind != "openai-compatible")
    return void(connection.Reply(200, MetricsText(), "text/plain"));
  if (path == "/v1/models" && kind != "ollama")
    return json({{"data", Json::array({{{"id", "m"}, {"max_model_len", 8192}}})}});
  if (path == "/version" && kind == "vllm") return json({{"version", "0.28.1"}});
  if (path == "/server_info" && kind == "sglang")
    return json({{"version", "0.5.17"},
                 {"page_size", is_.block},
                 {"disable_radix_cache", !is_.caches},
                 {"context_length", 8192}});
  if (path == "/api/version" && kind == "ollama") return json({{"version", "0.33.1"}});
  if (path == "/api/tags" && kind == "ollama")
    return json({{"models", Json::array({{{"name", "m:latest"}}})}});
  if (path == "/tokenize" && (kind == "vllm" || kind == "sglang") && body)
    return json({{"tokens", TokensOf(StringAt(*body, "prompt").value_or(""))}});
  if ((path == "/reset_prefix_cache" && kind == "vllm") || (path == "/flush_cache" && kind == "sglang"))
    return Reset(connection);
  const bool chats = path == "/v1/chat/completions" && kind != "ollama";
  const bool generates = chats || path == "/v1/completions" || (path == "/generate" && kind == "sglang") ||
                         (path == "/api/generate" && kind == "ollama");
  if (request.method == "POST" && generates && body) return Generate(request, *body, connection);
  connection.Reply(404, R"({"detail":"Not Found"})");
}

void FakeEngine::Reset(FakeConnection& connection) {
  const std::lock_guard lock(mutex_);
  if (!is_.can_reset) return void(connection.Reply(404, R"({"detail":"Not Found"})"));
  if (is_.reset_is_busy) {
    is_.kind == "sglang" ? connection.Reply(400, "Flush cache failed.")
                         : connection.Reply(200, R"({"success":false})");
    return;
  }
  if (!is_.reset_lies) resident_.clear();
  is_.kind == "sglang" ? connection.Reply(200, "Cache flushed.", "text/plain") : connection.Reply(200, "");
}

FakeEngine::Work FakeEngine::Serve(const std::vector<int>& prompt, const std::string& space, int output) {
  const std::lock_guard lock(mutex_);
  Work work;
  work.prompt = static_cast<std::int64_t>(prompt.size());
  work.output = output;
  for (const auto& [where, tokens] : resident_) {
    if (where != space || !is_.caches) continue;
    const auto end = std::mismatch(tokens.begin(), tokens.end(), prompt.begin(), prompt.end()).second;
    const std::int64_t common = std::min<std::int64_t>(end - prompt.begin(), work.prompt - 1);
    work.cached = std::max(work.cached, common / is_.block * is_.block);
  }
  std::vector<int> all = prompt;
  for (int i = 0; i < output; ++i)
    work.ids.push_back((prompt.empty() ? 0 : prompt.back() * 7 + i * 13) % 30000 + 1);
  all.insert(all.end(), work.ids.begin(), work.ids.end() - 1);
  resident_.emplace_back(space, std::move(all));
  prompt_total_ += work.prompt + is_.foreign_tokens;
  cached_total_ += work.cached;
  output_total_ += output;
  lag_ = is_.totals_lag_calls;
  return work;
}

void FakeEngine::Generate(const ReceivedRequest& request, const Json& body, FakeConnection& connection) {
  if (is_.kind == "ollama" && !Find(body, "prompt")) {
    const std::lock_guard lock(mutex_);
    if (IntAt(body, "keep_alive") == 0) resident_.clear();
    return void(
        connection.Reply(200, R"({"model":"m:latest","response":"","done":true,"done_reason":"load"})"));
  }
  if (is_.refuses_unknown_fields &&
      (Find(body, "cache_salt") || Find(body, "return_token_ids") || Find(body, "seed")))
    return void(
        connection.Reply(400, R"({"object":"error","message":"extra fields not permitted","code":400})"));
  std::string space = StringAt(body, "cache_salt").value_or(StringAt(body, "extra_key").value_or(""));
  if (is_.ignores_salt) space.clear();
  if (!is_.ignores_key) space += request.header("authorization");
  int output = 1;
  for (const char* key : {"max_tokens", "sampling_params/max_new_tokens", "options/num_predict"})
    output = static_cast<int>(IntAt(body, key).value_or(output));
  const Work work = Serve(PromptOf(body), space, std::max(output, 1));
  if (Find(body, "messages")) return Chat(work, connection);
  BoolAt(body, "stream").value_or(false) ? Stream(work, connection) : Whole(work, connection);
}

void FakeEngine::PutUsage(const Work& work, Json& object) const {
  const std::int64_t cached = is_.counts_too_many ? work.prompt : work.cached;
  const bool said = is_.reports && !(is_.leaves_zero_out && cached == 0);
  const double prefill = 0.5 + kPrefillMsPerToken * static_cast<double>(work.prompt - work.cached);
  if (is_.kind == "sglang") {
    Json& meta = object["meta_info"];
    meta["prompt_tokens"] = work.prompt;
    if (said) meta["cached_tokens"] = cached;
    if (is_.retracts) meta["num_retractions"] = 1;
    if (is_.times_prefill) {
      meta["forward_entry_time"] = 100.0;
      meta["prefill_finished_time"] = 100.0 + prefill / 1000;
    }
    return;
  }
  if (is_.kind == "ollama") {
    object["prompt_eval_count"] = work.prompt;
    object["eval_count"] = work.output;
    if (said) object["prompt_eval_cached_count"] = cached;
    object["prompt_eval_duration"] = static_cast<std::int64_t>(prefill * 1e6);
    object["eval_duration"] = work.output * 1'000'000;
    return;
  }
  object["usage"] = {{"prompt_tokens", work.prompt}, {"completion_tokens", work.output}};
  object["usage"]["prompt_tokens_details"] = said ? Json{{"cached_tokens", cached}} : Json(nullptr);
  if (is_.times_prefill && is_.kind == "vllm")
    object["metrics"] = {{"time_to_first_token_ms", prefill}, {"generation_time_ms", double(work.output)}};
}

// Tokens [from, to) of the answer as one object of the stream, or all of it.
Json FakeEngine::Object(const Work& work, std::size_t from, std::size_t to, bool last, bool streamed) const {
  const std::string finish = is_.aborts ? "abort" : "length";
  if (is_.kind == "ollama") {
    Json object{{"model", "m:latest"}, {"response", TextOfIds(work.ids, from, to)}, {"done", last}};
    if (last) {
      object["done_reason"] = "length";
      PutUsage(work, object);
    }
    return object;
  }
  if (is_.kind == "sglang") {
    const std::size_t begin = streamed && is_.incremental_ids ? from : 0;
    Json object{{"text", TextOfIds(work.ids, begin, to)},
                {"output_ids", std::vector<int>(work.ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                                work.ids.begin() + static_cast<std::ptrdiff_t>(to))}};
    object["meta_info"] = {{"completion_tokens", to}, {"finish_reason", nullptr}};
    if (last) object["meta_info"]["finish_reason"] = {{"type", finish}, {"length", work.output}};
    PutUsage(work, object);
    return object;
  }
  Json choice{
      {"index", 0}, {"text", TextOfIds(work.ids, from, to)}, {"finish_reason", last ? Json(finish) : Json()}};
  if (is_.kind == "vllm" && !is_.drops_ids)
    choice["token_ids"] = std::vector<int>(work.ids.begin() + static_cast<std::ptrdiff_t>(from),
                                           work.ids.begin() + static_cast<std::ptrdiff_t>(to));
  return {{"id", "cmpl-1"}, {"model", "m"}, {"choices", Json::array({std::move(choice)})}};
}

void FakeEngine::Chat(const Work& work, FakeConnection& connection) {
  Json reply{{"id", "chatcmpl-1"}, {"object", "chat.completion"}, {"model", "m"}};
  reply["choices"] =
      Json::array({{{"index", 0}, {"message", {{"content", "x"}}}, {"finish_reason", "length"}}});
  reply["usage"] = {{"prompt_tokens", work.prompt}, {"completion_tokens", work.output}};
  if (is_.reports && !(is_.leaves_zero_out && work.cached == 0))
    reply["usage"]["prompt_tokens_details"] = {{"cached_tokens", work.cached}};
  connection.Reply(200, DumpJson(reply));
}

void FakeEngine::Whole(const Work& work, FakeConnection& connection) {
  if (is_.error_is_a_string) return void(connection.Reply(401, R"({"error":"Unauthorized"})"));
  Json object = Object(work, 0, work.ids.size(), true, false);
  if (is_.kind != "sglang" && is_.kind != "ollama") PutUsage(work, object);
  connection.Reply(200, DumpJson(object));
}

void FakeEngine::Stream(const Work& work, FakeConnection& connection) {
  const bool lines = is_.kind == "ollama";
  connection.BeginChunked(200, lines ? "application/x-ndjson" : "text/event-stream");
  const auto send = [&](const Json& object) {
    connection.Chunk(lines ? DumpJson(object) + "\n" : "data: " + DumpJson(object) + "\n\n");
  };
  if (is_.pings && !lines) connection.Chunk(": ping\n\n");
  if (is_.error_in_stream) {
    send({{"error", {{"message", "engine died"}, {"code", 500}}}});
  } else {
    const std::size_t half = work.ids.size() / 2;
    if (half > 0) send(Object(work, 0, half, false, true));
    if (!is_.cuts_stream) {
      send(Object(work, half, work.ids.size(), true, true));
      if (is_.kind == "vllm" || is_.kind == "openai-compatible") {
        Json usage{{"id", "cmpl-1"}, {"choices", Json::array()}};
        PutUsage(work, usage);
        send(usage);
      }
      if (!lines) connection.Chunk("data: [DONE]\n\n");
    }
  }
  connection.EndChunked();
  connection.Close();
}

std::string FakeEngine::MetricsText() {
  const std::lock_guard lock(mutex_);
  if (lag_ > 0) {
    --lag_;
  } else {
    shown_prompt_ = prompt_total_;
    shown_cached_ = cached_total_;
    shown_output_ = output_total_;
  }
  const std::string labels = "{model_name=\"m\",engine=\"0\"} ";
  std::string text = "process_start_time_seconds 1.7e9\n";
  if (is_.kind == "vllm") {
    text += "vllm:cache_config_info{block_size=\"" + std::to_string(is_.block) +
            "\",enable_prefix_caching=\"True\"} 1.0\n";
    text += "vllm:prompt_tokens_total" + labels + std::to_string(shown_prompt_) + "\n";
    text += "vllm:prefix_cache_hits_total" + labels + std::to_string(shown_cached_) + "\n";
    text += "vllm:generation_tokens_total" + labels + std::to_string(shown_output_) + "\n";
    return text + "vllm:num_requests_running" + labels + "0\n";
  }
  text += "sglang:prompt_tokens_total" + labels + std::to_string(shown_prompt_) + "\n";
  text += "sglang:cached_tokens_total{cache_source=\"device\"} " + std::to_string(shown_cached_) + "\n";
  text += "sglang:generation_tokens_total" + labels + std::to_string(shown_output_) + "\n";
  return text + "sglang:num_running_reqs" + labels + "0\n";
}

}  // namespace helix::fakes
