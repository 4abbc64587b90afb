#include "core/backend/engine.h"

#include <cmath>
#include <thread>

#include "core/backend/llama_reply.h"
#include "core/backend/prometheus.h"
#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/net/sse_parser.h"

namespace helix::backend {
namespace {

constexpr Millis kPoll{20};
constexpr Millis kSettle{1200};  // servers publish their totals once a step or once a second

// Another one for every request of every run.
std::string FreshSalt(std::uint64_t number) {
  SplitMix64 random(number ^ static_cast<std::uint64_t>(SteadyNowNs()));
  return "helix-" + std::to_string(random.Next()) + "-" + std::to_string(number);
}

void Client(const net::HttpResponse& response, EngineRead& read) {
  read.reply.t_send_ns = response.t_send_ns;
  read.reply.total_ns = response.t_end_ns - response.t_send_ns;
  read.reply.connection_reused = response.connection_reused;
  if (!read.first_token_ns) return;
  read.reply.ttft_ns = {*read.first_token_ns - response.t_send_ns, Origin::kClient};
  if (read.tokens_at_first > 0) read.reply.first_event_tokens = {read.tokens_at_first, Origin::kServer};
}

Error Unexpected(int status, const std::string& body) {
  auto json = ReadJsonReply(status, body);
  if (!json) return std::move(json.error());
  return {ErrorCode::kProtocol, "expected a completion, got JSON with status " + std::to_string(status), ""};
}

bool Same(const WorkCounters& a, const WorkCounters& b) {
  return a.processed == b.processed && a.cached == b.cached && a.predicted == b.predicted;
}

}  // namespace

std::optional<double> MetricSum(const Json& metrics, const std::string& name) {
  std::optional<double> sum;
  if (!metrics.is_object()) return sum;
  for (const auto& [key, value] : metrics.items())
    if (value.is_number() && (key == name || key.rfind(name + "{", 0) == 0))
      sum = sum.value_or(0) + value.get<double>();
  return sum;
}

EngineBackend::EngineBackend(const EngineOptions& options)
    : questions_(options.base_url, options.api_key),
      completions_(options.base_url, options.api_key),
      model_(options.model),
      silence_limit_(options.silence_limit) {
  can_.zero_is_reported = can_.cached_count = can_.prefill_time = false;
}

Capabilities EngineBackend::capabilities() const {
  return can_;
}

Status EngineBackend::Refuse(const GenerateRequest& request) const {
  if (!request.prompt.empty() && !can_.token_ids_in)
    return Fail(ErrorCode::kRefused, "this server takes text, not token ids", "send the prompt as text");
  if (request.prompt.empty() && request.text.empty())
    return Fail(ErrorCode::kInvalidArgument, "expected a prompt");
  if (!request.use_cache && can_.cold_methods.empty())
    return Fail(ErrorCode::kRefused, "this server has no way to answer past its cache",
                "restart it, or compare prompts that begin differently");
  return {};
}

Result<GenerateReply> EngineBackend::Generate(const GenerateRequest& request, const RunContext& context) {
  HELIX_TRY(Refuse(request));
  if (!request.use_cache) HELIX_TRY(MakeCold(context));
  std::string body = DumpJson(Body(request, request.use_cache ? request.salt : FreshSalt(++salts_)));
  net::HttpRequest http = completions_.PostRequest(GeneratePath(), body, request.timeout);
  http.stall_timeout = std::min(request.timeout, silence_limit_);
  completions_.client().Close();
  HELIX_TRY(completions_.client().Connect(context));
  sent_since_totals_ = true;
  auto read = request.stream ? Streamed(http, context) : Whole(http, context);
  completions_.client().Close();
  if (!read) return tl::make_unexpected(std::move(read.error()));
  read->reply.request_body = std::move(body);
  HELIX_TRY(Settle(request, *read));
  return std::move(read->reply);
}

Result<EngineRead> EngineBackend::Whole(const net::HttpRequest& http, const RunContext& context) {
  auto response = completions_.client().Send(http, context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status != 200) return tl::make_unexpected(Unexpected(response->status, response->body));
  const auto json = ReadJsonReply(response->status, response->body);
  if (!json) return tl::make_unexpected(json.error());
  EngineRead read;
  HELIX_TRY(Read(*json, false, response->t_end_ns, read));
  read.first_token_ns.reset();  // when a whole reply arrives says nothing about its first token
  Client(*response, read);
  read.reply.response_body = std::move(response->body);
  return read;
}

Result<EngineRead> EngineBackend::Streamed(const net::HttpRequest& http, const RunContext& context) {
  EngineRead read;
  Status events;
  std::string raw;
  const auto take = [&](const std::string& data, std::int64_t t_ns) {
    if (!events || data == "[DONE]") return;
    auto json = ParseJson(data);
    if (!json) {
      events = tl::make_unexpected(json.error());
    } else if (auto error = LlamaError(*json, 0)) {
      events = tl::make_unexpected(std::move(*error));
    } else {
      events = Read(*json, true, t_ns, read);
    }
  };
  net::SseParser parser([&](const net::SseEvent& event) { take(event.data, event.t_ns); });
  // Ollama streams JSON lines, not events.
  const bool lines = GeneratePath().rfind("/api/", 0) == 0;
  std::string line;
  Status framing;
  auto response = completions_.client().Send(http, context, [&](std::string_view bytes, std::int64_t t_ns) {
    raw.append(bytes);
    if (!lines) {
      if (framing) framing = parser.Feed(bytes, t_ns);
      return true;
    }
    line.append(bytes);
    for (std::size_t end = line.find('\n'); end != std::string::npos; end = line.find('\n')) {
      if (end > 0) take(line.substr(0, end), t_ns);
      line.erase(0, end + 1);
    }
    return true;
  });
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status != 200) return tl::make_unexpected(Unexpected(response->status, raw));
  HELIX_TRY(events);
  HELIX_TRY(framing);
  if (!lines) HELIX_TRY(parser.Finish());
  if (!read.finished)
    return Fail(ErrorCode::kProtocol, "the stream ended without saying why the answer ended",
                "the server or a proxy cut it: a short stream is never a short success");
  Client(*response, read);
  read.reply.response_body = std::move(raw);
  return read;
}

// What one reply proves about the server, and what contradicts itself in it.
Status EngineBackend::Settle(const GenerateRequest& request, EngineRead& read) {
  GenerateReply& reply = read.reply;
  can_.prefill_time = can_.prefill_time || reply.prefill_ms.present();
  if (reply.cached_tokens.present()) {
    can_.cached_count = true;
    can_.zero_is_reported = can_.zero_is_reported || reply.cached_tokens.value() == 0;
  } else if (can_.cached_count && !can_.zero_is_reported) {
    reply.cached_tokens = {0, Origin::kDerived};  // it reports hits and leaves zeros out
  }
  if (reply.prompt_tokens.present() && reply.cached_tokens.present()) {
    if (reply.cached_tokens.value() >= reply.prompt_tokens.value())
      return Fail(ErrorCode::kProtocol,
                  "the reply says " + std::to_string(reply.cached_tokens.value()) + " tokens of " +
                      std::to_string(reply.prompt_tokens.value()) + " were reused: one is always computed",
                  "the counter is wrong: see the server's known count bugs");
    if (!reply.processed_tokens.present())
      reply.processed_tokens = {reply.prompt_tokens.value() - reply.cached_tokens.value(), Origin::kDerived};
  }
  if (!request.prompt.empty() && reply.prompt_tokens.present() &&
      reply.prompt_tokens.value() != static_cast<std::int64_t>(request.prompt.size()))
    return Fail(ErrorCode::kProtocol, "the reply counts " + std::to_string(reply.prompt_tokens.value()) +
                                          " prompt tokens, " + std::to_string(request.prompt.size()) +
                                          " were sent");
  reply.has_token_ids = read.ids_complete && !reply.tokens.empty();
  if (!reply.has_token_ids) reply.tokens.clear();
  can_.token_ids_out = can_.token_ids_out || reply.has_token_ids;
  return {};
}

Result<std::vector<TokenId>> EngineBackend::Tokenize(const std::string& text, bool add_special,
                                                     const RunContext& context) {
  if (!can_.tokenizer) return Fail(ErrorCode::kUnavailable, "this server has no tokenizer to ask");
  auto reply = questions_.PostJson("/tokenize", TokenizeBody(text, add_special), context);
  if (!reply) return tl::make_unexpected(std::move(reply.error()));
  const Json* list = Find(*reply, "tokens");
  if (list == nullptr || !list->is_array())
    return Fail(ErrorCode::kProtocol, "expected \"tokens\" from /tokenize");
  std::vector<TokenId> ids;
  for (const Json& id : *list) {
    if (!id.is_number_integer()) return Fail(ErrorCode::kProtocol, "expected integers from /tokenize");
    ids.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
  }
  return ids;
}

Json EngineBackend::TokenizeBody(const std::string& text, bool add_special) const {
  return {{"model", model_}, {"prompt", text}, {"add_special_tokens", add_special}};
}

Status EngineBackend::MakeCold(const RunContext& /*context*/) {
  return {};
}

WorkCounters EngineBackend::Counters(const Json& /*metrics*/) const {
  return {};
}

std::optional<double> EngineBackend::Running(const Json& /*metrics*/) const {
  return std::nullopt;
}

Status EngineBackend::WaitIdle(Millis timeout, const RunContext& context) {
  const std::int64_t deadline = SteadyNowNs() + static_cast<std::int64_t>(timeout.count() * 1e6);
  while (true) {
    const auto metrics = Metrics(context);
    if (!metrics) return tl::make_unexpected(metrics.error());
    const auto running = Running(*metrics);
    if (!running) return Fail(ErrorCode::kUnavailable, "this server does not say whether it is idle");
    if (*running == 0) return {};
    if (context.Cancelled())
      return Fail(ErrorCode::kCancelled, "cancelled while waiting for the server to be idle");
    if (SteadyNowNs() > deadline)
      return Fail(ErrorCode::kTimeout, "the server was still working on a request after the wait",
                  "stop the other traffic");
    std::this_thread::sleep_for(kPoll);
  }
}

Result<Json> EngineBackend::Metrics(const RunContext& context) {
  if (!can_.metrics) return Fail(ErrorCode::kUnavailable, "this server gives no metrics");
  auto response = questions_.Get("/metrics", context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status != 200) return tl::make_unexpected(Unexpected(response->status, response->body));
  return ParsePrometheus(response->body);
}

Result<WorkCounters> EngineBackend::Work(const RunContext& context) {
  const std::int64_t deadline = SteadyNowNs() + static_cast<std::int64_t>(kSettle.count() * 1e6);
  std::optional<WorkCounters> last;
  while (true) {
    const auto metrics = Metrics(context);
    if (!metrics) return tl::make_unexpected(metrics.error());
    const WorkCounters now = Counters(*metrics);
    if (!now.processed && !now.cached && !now.predicted)
      return Fail(ErrorCode::kUnavailable, "the server's metrics hold no totals of tokens");
    const bool moved = !sent_since_totals_ || !totals_ || !Same(*totals_, now);
    const bool stable = last && Same(*last, now);
    last = now;
    if ((moved && stable) || SteadyNowNs() > deadline || context.Cancelled()) break;
    std::this_thread::sleep_for(kPoll);
  }
  totals_ = last;
  sent_since_totals_ = false;
  return *last;
}

std::optional<Json> EngineBackend::GetObject(const std::string& path, const RunContext& context) {
  auto reply = questions_.GetJson(path, context);
  if (!reply || !reply->is_object()) return std::nullopt;
  return std::move(*reply);
}

void EngineBackend::LearnMetrics(const RunContext& context) {
  const auto response = questions_.Get("/metrics", context);
  can_.metrics = response && response->status == 200;
  metrics_now_ = can_.metrics ? ParsePrometheus(response->body) : Json::object();
  if (const auto start = MetricSum(metrics_now_, "process_start_time_seconds"))
    boot_id_ = std::to_string(static_cast<std::int64_t>(std::llround(*start * 1000)));
}

std::string EngineBackend::FirstModel(const RunContext& context, Json* entry) {
  const auto models = GetObject("/v1/models", context);
  const Json* list = models ? Find(*models, "data") : nullptr;
  if (list == nullptr || !list->is_array() || list->empty()) return "";
  if (entry != nullptr) *entry = list->front();
  return StringAt(list->front(), "id").value_or("");
}

}  // namespace helix::backend
