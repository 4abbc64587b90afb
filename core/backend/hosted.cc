#include "core/backend/hosted.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <mutex>

#include "core/backend/hosted_stream.h"
#include "core/base/clock.h"
#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr std::int64_t kFewestForDecodeRate = 32;
// 4096 output tokens are far below this; a stream that does not end must not fill the memory.
constexpr std::size_t kLargestReply = std::size_t{16} << 20;

net::HttpRequest MakeRequest(const HostedOptions& options, const ChatRequest& asked) {
  net::HttpRequest request;
  request.method = "POST";
  bool anthropic = options.protocol == Protocol::kAnthropicMessages;
  request.path = options.base.path + (anthropic ? "/messages" : "/chat/completions");
  request.headers.emplace("content-type", "application/json");
  request.headers.emplace("accept", "text/event-stream");
  if (anthropic) request.headers.emplace("anthropic-version", "2023-06-01");
  options.credentials.AddTo(request.headers);
  const ChatForm form{options.takes_markers, options.provider == "openai"};
  request.body = anthropic ? AnthropicBody(asked) : OpenAiChatBody(asked, form);
  request.total_timeout = options.timeout;
  request.max_bytes = kLargestReply;
  return request;
}

void PutTimes(const net::HttpResponse& response, const HostedStream& stream, HostedReply& out) {
  auto since_send = [&](std::int64_t t) {
    return Measured<double>(double(t - response.t_send_ns) / kNsPerMs, Origin::kClient);
  };
  out.total_ms = since_send(response.t_end_ns);
  out.t_send_ns = response.t_send_ns;
  out.total_ns = response.t_end_ns - response.t_send_ns;
  out.buffered = stream.buffered();
  out.connection_reused = response.connection_reused;
  if (!stream.first_generated_ns().present() || out.buffered) return;
  out.ttft_ms = since_send(stream.first_generated_ns().value());
  out.ttft_ns = {stream.first_generated_ns().value() - response.t_send_ns, Origin::kClient};
  if (stream.first_text_ns().present()) out.first_text_ms = since_send(stream.first_text_ns().value());
  const auto& tokens = out.reply.usage.out_total;
  double span_s = double(stream.last_generated_ns() - stream.first_generated_ns().value()) / 1e9;
  if (!tokens.present() || tokens.value().count < kFewestForDecodeRate || span_s <= 0) return;
  out.decode_tokens_per_s = {double(tokens.value().count - 1) / span_s, Origin::kDerived};
}

std::string StreamFailure(const usage::Usage& usage) {
  if (usage.HasFlag("error")) return "error_in_stream";
  if (usage.HasFlag("truncated")) return "truncated";
  if (usage.HasFlag("suspect_empty")) return "suspect_empty";
  return {};
}

// Waits unless the run is stopped first; false when it was.
bool WaitOrStop(Millis time, const RunContext& context) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, context.stop, time, [] { return false; });
  return !context.Cancelled();
}

std::string RequestIdOf(const net::HttpResponse& response) {
  for (const char* name : {"request-id", "x-request-id"}) {
    auto it = response.headers.find(name);
    if (it != response.headers.end()) return it->second.substr(0, 200);
  }
  return {};
}

// gzip's first bytes: a hop compressed the stream and lost the header that says so.
bool LooksCompressed(std::string_view body) {
  return body.starts_with("\x1f\x8b");
}

std::string FailureOf(const Error& error) {
  bool compressed =
      error.message.find("compress") != std::string::npos || error.message.find("encod") != std::string::npos;
  return error.code == ErrorCode::kProtocol && compressed ? "compressed_stream" : "connection";
}

}  // namespace

bool SameModel(std::string_view asked, std::string_view answered) {
  if (asked.ends_with("[1m]")) asked.remove_suffix(4);
  // A router's selector: "provider,model".
  if (const auto comma = asked.rfind(','); comma != std::string_view::npos) asked.remove_prefix(comma + 1);
  if (asked == answered) return true;
  if (!answered.starts_with(asked)) return false;
  auto tail = answered.substr(asked.size());
  return tail.size() >= 9 && tail[0] == '-' &&
         std::all_of(tail.begin(), tail.end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

HostedClient::HostedClient(HostedOptions options)
    : options_(std::move(options)), http_(options_.base.origin) {}

Result<HostedReply> HostedClient::Once(const net::HttpRequest& request, const ChatRequest& asked,
                                       const RunContext& context, HttpFailure& failure) {
  const std::vector<std::string> secrets = {options_.credentials.key};
  HostedReply out;
  out.request_body = request.body;
  HostedStream stream(options_.provider);
  std::string body;
  const std::int64_t t_begin = SteadyNowNs();
  // A new connection for every call, opened outside its time: the same in both arms, whatever servers do with
  // a connection after a stream (llama-server closes it) or after the pause between two calls.
  http_.Close();
  HELIX_TRY(http_.Connect(context).or_else([&](const Error& e) -> Status {
    if (context.Cancelled()) return tl::make_unexpected(e);
    return {};  // Send says what is wrong
  }));
  Status fed;
  auto response = http_.Send(request, context, [&](std::string_view bytes, std::int64_t t_ns) {
    body.append(bytes);
    if (LooksCompressed(body)) return false;
    fed = stream.Feed(bytes, t_ns);
    return fed.has_value();
  });
  if (LooksCompressed(body)) {
    out.failure = "compressed_stream";
    out.message = "identity was asked for and the body is gzip: neither its usage nor its TTFT can be read";
    return out;
  }
  out.response_body = Redact(body, secrets);
  if (!response) {
    if (context.Cancelled()) return tl::make_unexpected(response.error());
    out.failure = fed ? FailureOf(response.error()) : "error_in_stream";
    out.t_send_ns = t_begin;
    out.message = Redact(response.error().Text(), secrets);
    return out;
  }
  out.status = response->status;
  out.request_id = Redact(RequestIdOf(*response), secrets);
  if (out.status < 200 || out.status > 299) {
    failure = ReadHttpFailure(*response, body, std::time(nullptr));
    out.failure = failure.kind;
    out.message = Redact(failure.message, secrets);
    return out;
  }
  out.reply = stream.Finish();
  out.text = stream.text();
  PutTimes(*response, stream, out);
  out.failure = StreamFailure(out.reply.usage);
  out.message = Redact(out.reply.error, secrets);
  if (out.failure.empty() && options_.check_model && !SameModel(asked.model, out.reply.model)) {
    out.failure = "other_model_answered";
    out.message = "asked for " + asked.model + ", answered by " + Redact(out.reply.model, secrets);
  }
  out.ok = out.failure.empty();
  return out;
}

Result<HostedReply> HostedClient::Send(const ChatRequest& request, const RunContext& context) {
  const net::HttpRequest http_request = MakeRequest(options_, request);
  for (int attempt = 1;; ++attempt) {
    HttpFailure failure;
    auto reply = Once(http_request, request, context, failure);
    if (!reply) return reply;
    reply->attempts = attempt;
    if (!failure.retry || attempt >= options_.max_attempts) return reply;
    if (!WaitOrStop(failure.wait, context))
      return Fail(ErrorCode::kCancelled, "stopped while waiting to try again");
  }
}

Result<net::HttpResponse> HostedClient::Get(const std::string& path, const RunContext& context) {
  net::HttpRequest request;
  request.path = options_.base.path + path;
  options_.credentials.AddTo(request.headers);
  request.stall_timeout = Millis{5000};
  request.total_timeout = Millis{5000};
  return http_.Send(request, context);
}

}  // namespace helix::backend
