#include "core/backend/llama_server.h"

#include <algorithm>
#include <thread>

#include "core/backend/llama_reply.h"
#include "core/backend/llama_request.h"
#include "core/backend/prometheus.h"
#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/net/sse_parser.h"

namespace helix::backend {
namespace {

constexpr Millis kPollInterval{10};
constexpr int kRoundTrips = 50;

// The error of a reply that is not a completion, whatever its form.
Error ReplyError(int status, const std::string& body) {
  auto json = ReadJsonReply(status, body);
  if (!json) return std::move(json.error());
  return {ErrorCode::kProtocol, "expected a completion, got JSON with status " + std::to_string(status), ""};
}

// Both kinds of reply agree on these.
void Client(const net::HttpResponse& response, GenerateReply& reply) {
  reply.t_send_ns = response.t_send_ns;
  reply.total_ns = response.t_end_ns - response.t_send_ns;
  reply.connection_reused = response.connection_reused;
}

}  // namespace

LlamaServer::LlamaServer(LlamaServerOptions options)
    : questions_(options.base_url, options.api_key),
      completions_(options.base_url, options.api_key),
      own_boot_id_(std::move(options.boot_id)),
      silence_limit_(options.silence_limit) {}
LlamaServer::~LlamaServer() = default;

Result<Identity> LlamaServer::Identify(const RunContext& context) {
  auto found = IdentifyLlama(questions_, context);
  if (!found) return tl::make_unexpected(std::move(found.error()));
  known_ = std::move(*found);
  return known_.identity;
}

Capabilities LlamaServer::capabilities() const {
  Capabilities can;
  can.token_ids_in = can.token_ids_out = can.logprobs = can.tokenizer = true;
  can.cached_count = can.zero_is_reported = counts_reuse_;
  can.prefill_time = times_prefill_;
  can.metrics = known_.has_metrics;
  can.slots = known_.has_slots;
  can.cold_methods = {ColdMethod::kPerRequestSwitch};
  return can;
}

Result<std::vector<TokenId>> LlamaServer::Tokenize(const std::string& text, bool add_special,
                                                   const RunContext& context) {
  auto reply = questions_.PostJson("/tokenize", {{"content", text}, {"add_special", add_special}}, context);
  if (!reply) return tl::make_unexpected(std::move(reply.error()));
  const Json* list = Find(*reply, "tokens");
  if (list == nullptr || !list->is_array())
    return Fail(ErrorCode::kProtocol, "expected \"tokens\" from /tokenize");
  std::vector<TokenId> ids;
  ids.reserve(list->size());
  for (const Json& id : *list) {
    if (!id.is_number_integer()) return Fail(ErrorCode::kProtocol, "expected integers from /tokenize");
    ids.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
  }
  return ids;
}

Result<GenerateReply> LlamaServer::Generate(const GenerateRequest& request, const RunContext& context) {
  std::string body = DumpJson(LlamaCompletionBody(request));
  net::HttpRequest http = completions_.PostRequest("/completion", body, request.timeout);
  http.stall_timeout = std::min(request.timeout, silence_limit_);
  completions_.client().Close();
  HELIX_TRY(completions_.client().Connect(context));
  auto reply = request.stream ? Streamed(http, context) : Whole(http, context);
  completions_.client().Close();
  if (!reply) return reply;
  reply->request_body = std::move(body);
  counts_reuse_ = counts_reuse_ || reply->cached_tokens.present();
  times_prefill_ = times_prefill_ || reply->prefill_ms.present();
  return reply;
}

Result<GenerateReply> LlamaServer::Whole(const net::HttpRequest& http, const RunContext& context) {
  auto response = completions_.client().Send(http, context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status != 200) return tl::make_unexpected(ReplyError(response->status, response->body));
  const auto json = ReadJsonReply(response->status, response->body);
  if (!json) return tl::make_unexpected(json.error());
  GenerateReply reply;
  HELIX_TRY(ReadLlamaFinal(*json, reply));
  Client(*response, reply);
  reply.response_body = std::move(response->body);
  return reply;
}

Result<GenerateReply> LlamaServer::Streamed(const net::HttpRequest& http, const RunContext& context) {
  LlamaStream stream;
  Status events;
  std::string raw;
  net::SseParser parser([&](const net::SseEvent& event) {
    if (!events) return;
    // Builds before b6523 send errors in a field of their own, which the parser gives as an event of that
    // name.
    const bool old_error = event.event == "error";
    events = stream.Event(old_error ? "{\"error\":" + event.data + "}" : event.data, event.t_ns);
  });
  Status framing;
  auto response = completions_.client().Send(http, context, [&](std::string_view bytes, std::int64_t t_ns) {
    raw.append(bytes);
    if (framing) framing = parser.Feed(bytes, t_ns);
    return true;
  });
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status != 200) return tl::make_unexpected(ReplyError(response->status, raw));
  HELIX_TRY(events);
  HELIX_TRY(framing);
  HELIX_TRY(parser.Finish());
  GenerateReply reply;
  HELIX_TRY(stream.Finish(reply));
  Client(*response, reply);
  if (const auto first = stream.first_token_ns())
    reply.ttft_ns = {*first - response->t_send_ns, Origin::kClient};
  reply.response_body = std::move(raw);
  return reply;
}

Json LlamaServer::Parameters(const GenerateRequest& request) const {
  return LlamaSamplingParams(request);
}

Result<bool> LlamaServer::Busy(const RunContext& context) {
  if (known_.has_slots) {
    const auto slots = questions_.GetJson("/slots", context);
    if (!slots) return tl::make_unexpected(slots.error());
    if (!slots->is_array()) return Fail(ErrorCode::kProtocol, "expected a list from /slots");
    return std::any_of(slots->begin(), slots->end(),
                       [](const Json& slot) { return BoolAt(slot, "is_processing").value_or(false); });
  }
  const auto metrics = Metrics(context);
  if (!metrics) return tl::make_unexpected(metrics.error());
  const auto running = NumberAt(*metrics, "llamacpp:requests_processing");
  if (!running)
    return Fail(ErrorCode::kUnavailable, "the server's /metrics does not say how many requests run");
  return *running > 0;
}

Status LlamaServer::QueueBehind(Millis timeout, const RunContext& context) {
  GenerateRequest last;
  last.prompt = {0};
  last.timeout = timeout;
  auto reply = Generate(last, context);
  if (!reply) return tl::make_unexpected(std::move(reply.error()));
  return {};
}

Status LlamaServer::WaitIdle(Millis timeout, const RunContext& context) {
  if (!known_.has_slots && !known_.has_metrics) return QueueBehind(timeout, context);
  const std::int64_t deadline = SteadyNowNs() + static_cast<std::int64_t>(timeout.count() * 1e6);
  while (true) {
    auto busy = Busy(context);
    if (!busy) return tl::make_unexpected(std::move(busy.error()));
    if (!*busy) return {};
    if (context.Cancelled())
      return Fail(ErrorCode::kCancelled, "cancelled while waiting for the server to be idle");
    if (SteadyNowNs() > deadline) {
      return Fail(ErrorCode::kTimeout, "the server was still working on a request after the wait",
                  "stop the other traffic, or wait for its prefill: llama-server does not cancel one");
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

Result<Json> LlamaServer::Metrics(const RunContext& context) {
  if (!known_.has_metrics)
    return Fail(ErrorCode::kUnavailable, "this llama-server was started without --metrics");
  auto response = questions_.Get("/metrics", context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  if (response->status != 200) return tl::make_unexpected(ReplyError(response->status, response->body));
  return ParsePrometheus(response->body);
}

Result<WorkCounters> LlamaServer::Work(const RunContext& context) {
  const auto metrics = Metrics(context);
  if (!metrics) return tl::make_unexpected(metrics.error());
  WorkCounters work;
  work.processed = IntAt(*metrics, "llamacpp:prompt_tokens_total");
  work.cached = IntAt(*metrics, "llamacpp:prompt_tokens_cached_total");
  work.predicted = IntAt(*metrics, "llamacpp:tokens_predicted_total");
  return work;
}

Result<std::int64_t> LlamaServer::RoundTripNs(const RunContext& context) {
  std::optional<std::int64_t> fastest;
  for (int i = 0; i < kRoundTrips; ++i) {
    auto response = questions_.Get("/health", context);
    if (!response) return tl::make_unexpected(std::move(response.error()));
    const std::int64_t took = response->t_end_ns - response->t_send_ns;
    if (!fastest || took < *fastest) fastest = took;
  }
  return *fastest;
}

}  // namespace helix::backend
