// A client for hosted chat APIs: Anthropic Messages and OpenAI chat completions, and servers that speak them.
#pragma once
#include <memory>
#include <string>

#include "core/backend/chat_request.h"
#include "core/backend/credentials.h"
#include "core/backend/hosted_failure.h"
#include "core/backend/provider_profile.h"
#include "core/base/run_context.h"
#include "core/net/http_client.h"
#include "core/usage/usage.h"

namespace helix::backend {

struct HostedReply {
  bool ok = false;      // a whole stream with content; only such a reply enters statistics
  std::string failure;  // why not: an HttpFailure's kind, or error_in_stream, truncated, suspect_empty,
                        // compressed_stream, other_model_answered, connection
  std::string message;  // redacted
  int status = 0;
  int attempts = 1;
  usage::Reply reply;
  std::string text;
  Measured<double> ttft_ms;  // client clock; absent when the stream was buffered on the way
  Measured<double> first_text_ms;
  Measured<double> total_ms;
  Measured<double> decode_tokens_per_s;  // (output - 1) / (last - first); needs 32 output tokens
  bool buffered = false;
  bool connection_reused = false;
  std::int64_t t_send_ns = 0;  // steady clock; of a failed call when it was begun
  std::int64_t total_ns = 0;
  Measured<std::int64_t> ttft_ns;  // what ttft_ms says
  std::string request_id;          // the provider's header; empty: none
  std::string request_body;        // holds no key
  std::string response_body;       // redacted
};

struct HostedOptions {
  BaseUrl base;
  Protocol protocol = Protocol::kOpenAiChat;
  std::string provider;  // profile name, or empty
  bool takes_markers = false;
  bool check_model = true;
  Credentials credentials;
  int max_attempts = 3;
  Millis timeout{300'000};
};

// Not thread-safe; one call at a time, each over a connection of its own that is open before its time starts.
class HostedClient {
 public:
  explicit HostedClient(HostedOptions options);

  // A failed call is a reply with ok false, not an Error: it must be counted. Error only when `context`
  // stopped.
  Result<HostedReply> Send(const ChatRequest& request, const RunContext& context);
  // GET of a path below the base URL, for identification; never retried.
  Result<net::HttpResponse> Get(const std::string& path, const RunContext& context);
  [[nodiscard]] const HostedOptions& options() const { return options_; }

 private:
  Result<HostedReply> Once(const net::HttpRequest& request, const ChatRequest& asked,
                           const RunContext& context, HttpFailure& failure);

  HostedOptions options_;
  net::HttpClient http_;
};

// Whether the model that answered is the one asked for: equal, or the same id with a date behind it. Of a
// router's selector "provider,model" the model counts.
bool SameModel(std::string_view asked, std::string_view answered);

}  // namespace helix::backend
