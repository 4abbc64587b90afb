#include "core/backend/llama_reply.h"

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

Measured<double> ServerNumber(const Json& object, std::string_view path) {
  const auto value = NumberAt(object, path);
  return value ? Measured<double>(*value, Origin::kServer) : Measured<double>();
}

Measured<std::int64_t> ServerCount(const Json& object, std::string_view path) {
  const auto value = IntAt(object, path);
  return value ? Measured<std::int64_t>(*value, Origin::kServer) : Measured<std::int64_t>();
}

void ReadCounters(const Json& object, GenerateReply& reply) {
  reply.prompt_tokens = ServerCount(object, "tokens_evaluated");  // the whole prompt, despite its name
  reply.cached_tokens = ServerCount(object, "timings/cache_n");
  reply.processed_tokens = ServerCount(object, "timings/prompt_n");
  reply.output_tokens = ServerCount(object, "tokens_predicted");
  reply.prefill_ms = ServerNumber(object, "timings/prompt_ms");
  reply.decode_ms = ServerNumber(object, "timings/predicted_ms");
  if (!reply.cached_tokens.present() && reply.prompt_tokens.present() && reply.processed_tokens.present()) {
    reply.cached_tokens = {reply.prompt_tokens.value() - reply.processed_tokens.value(), Origin::kDerived};
  }
}

// "limit" is the server's word for what everyone else calls "length"; builds before b4275 had three booleans.
std::string FinishOf(const Json& object) {
  std::string word = StringAt(object, "stop_type").value_or("");
  if (word.empty() && BoolAt(object, "stopped_limit").value_or(false)) word = "limit";
  if (word.empty() && BoolAt(object, "stopped_eos").value_or(false)) word = "eos";
  if (word.empty() && BoolAt(object, "stopped_word").value_or(false)) word = "word";
  if (word == "limit") return "length";
  return word == "eos" || word == "word" ? "stop" : word;
}

bool ReadIds(const Json* list, std::vector<TokenId>& out) {
  if (list == nullptr || !list->is_array()) return false;
  for (const Json& id : *list) {
    if (!id.is_number_integer()) return false;
    out.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
  }
  return true;
}

std::string BytesOf(const Json& entry) {
  std::string bytes;
  if (const Json* list = Find(entry, "bytes"); list != nullptr && list->is_array()) {
    for (const Json& byte : *list) {
      if (byte.is_number_integer()) bytes.push_back(static_cast<char>(byte.get<std::int64_t>() & 0xFF));
    }
    return bytes;
  }
  return StringAt(entry, "token").value_or("");
}

TokenLogprobs ReadPosition(const Json& entry) {
  TokenLogprobs position;
  position.id = static_cast<TokenId>(IntAt(entry, "id").value_or(-1));
  position.logprob = NumberAt(entry, "logprob").value_or(0);
  if (const Json* top = Find(entry, "top_logprobs"); top != nullptr && top->is_array()) {
    for (const Json& one : *top) {
      const auto id = IntAt(one, "id");
      const auto logprob = NumberAt(one, "logprob");
      if (id && logprob) position.top.push_back({static_cast<TokenId>(*id), BytesOf(one), *logprob});
    }
  }
  return position;
}

// Entries are one per token only when no token was held back for an incomplete UTF-8 sequence.
void ReadLogprobs(const Json& object, GenerateReply& reply) {
  const Json* list = Find(object, "completion_probabilities");
  if (list == nullptr || !list->is_array() || list->size() != reply.tokens.size()) return;
  std::vector<TokenLogprobs> positions;
  for (const Json& entry : *list) {
    if (!IntAt(entry, "id") || !NumberAt(entry, "logprob")) return;
    positions.push_back(ReadPosition(entry));
  }
  reply.logprobs = std::move(positions);
}

bool CountMatches(const GenerateReply& reply) {
  return reply.output_tokens.present() &&
         static_cast<std::int64_t>(reply.tokens.size()) == reply.output_tokens.value();
}

ErrorCode CodeOf(int http_status, const std::string& type) {
  if (http_status == 401 || http_status == 403) return ErrorCode::kRefused;
  if (http_status == 501 || type == "unavailable_error") return ErrorCode::kUnavailable;
  if (http_status == 400 || type == "invalid_request_error" || type == "exceed_context_size_error") {
    return ErrorCode::kInvalidArgument;
  }
  return ErrorCode::kProtocol;
}

std::string HintOf(ErrorCode code, const std::string& type) {
  if (code == ErrorCode::kRefused) return "set HELIX_LLM_API_KEY to the server's --api-key";
  if (type == "unavailable_error") return "wait until the model is loaded and try again";
  if (type == "exceed_context_size_error")
    return "ask for fewer prefix tokens or start the server with a larger -c";
  return {};
}

}  // namespace

Status ReadLlamaFinal(const Json& object, GenerateReply& reply) {
  if (!object.is_object() || !BoolAt(object, "stop").value_or(false)) {
    return Fail(ErrorCode::kProtocol, "expected a finished completion with \"stop\": true in the reply");
  }
  if (!IntAt(object, "tokens_predicted")) {
    return Fail(ErrorCode::kProtocol, "expected \"tokens_predicted\" in the finished completion");
  }
  ReadCounters(object, reply);
  reply.finish = FinishOf(object);
  reply.truncated = BoolAt(object, "truncated").value_or(false);
  reply.model = StringAt(object, "model").value_or("");
  if (const auto slot = IntAt(object, "id_slot"); slot && *slot >= 0) reply.slot = static_cast<int>(*slot);
  reply.text += StringAt(object, "content").value_or("");
  std::vector<TokenId> ids;
  if (ReadIds(Find(object, "tokens"), ids)) reply.tokens.insert(reply.tokens.end(), ids.begin(), ids.end());
  reply.has_token_ids = CountMatches(reply);
  ReadLogprobs(object, reply);
  if (!reply.has_token_ids) reply.tokens.clear();
  return {};
}

std::optional<Error> LlamaError(const Json& body, int http_status) {
  const Json* error = Find(body, "error");
  if (error == nullptr || error->is_null()) return std::nullopt;
  const std::string type = StringAt(*error, "type").value_or("");
  if (http_status == 0) http_status = static_cast<int>(IntAt(*error, "code").value_or(0));
  std::string text =
      error->is_string() ? error->get<std::string>() : StringAt(*error, "message").value_or(type);
  const ErrorCode code = CodeOf(http_status, type);
  return Error{code, "the server answered with an error: " + Printable(text, 200), HintOf(code, type)};
}

Status LlamaStream::Event(const std::string& data, std::int64_t t_ns) {
  if (data == "[DONE]") return {};
  auto chunk = ParseJson(data);
  if (!chunk || !chunk->is_object()) {
    return Fail(ErrorCode::kParse,
                "expected a JSON object in each event of the stream, got: " + Printable(data, 80));
  }
  if (auto error = LlamaError(*chunk, 0)) return tl::make_unexpected(std::move(*error));
  if (finished_) return Fail(ErrorCode::kProtocol, "the stream went on after its final event");
  if (BoolAt(*chunk, "stop").value_or(false)) {
    finished_ = true;
    return ReadLlamaFinal(*chunk, read_);
  }
  if (Find(*chunk, "prompt_progress") == nullptr) Chunk(*chunk, t_ns);
  return {};
}

void LlamaStream::Chunk(const Json& chunk, std::int64_t t_ns) {
  const std::string text = StringAt(chunk, "content").value_or("");
  std::vector<TokenId> ids;
  ReadIds(Find(chunk, "tokens"), ids);
  if (text.empty() && ids.empty()) return;
  if (!first_token_ns_) {
    first_token_ns_ = t_ns;
    if (const auto n = IntAt(chunk, "tokens_predicted")) read_.first_event_tokens = {*n, Origin::kServer};
  }
  read_.text += text;
  read_.tokens.insert(read_.tokens.end(), ids.begin(), ids.end());
}

Status LlamaStream::Finish(GenerateReply& reply) {
  if (!finished_)
    return Fail(ErrorCode::kProtocol, "the stream ended before its final event", "read the server's log");
  reply = std::move(read_);
  return {};
}

std::string Printable(std::string_view text, std::size_t limit) {
  std::string out(text.substr(0, limit));
  for (char& c : out) {
    if (c < 0x20 || c > 0x7E) c = '.';
  }
  return text.size() > limit ? out + "..." : out;
}

}  // namespace helix::backend
