#include "core/usage/usage_stream.h"

#include "core/base/json_fields.h"
#include "core/usage/content.h"
#include "core/usage/delta_filter.h"
#include "core/usage/merge.h"
#include "core/usage/recognise.h"

namespace helix::usage {
namespace {

void CopyText(const Json& from, Json& into, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const Json* value = Find(from, key);
    if (value != nullptr && !value->is_null() && !value->is_object()) into[key] = *value;
  }
}

bool HasCacheCounters(const Json& usage) {
  return Find(usage, "cache_read_input_tokens") != nullptr ||
         Find(usage, "cache_creation_input_tokens") != nullptr || Find(usage, "cache_creation") != nullptr;
}

std::string ErrorText(const Json& error) {
  if (error.is_string()) return error.get<std::string>();
  if (auto message = StringAt(error, "message")) return *message;
  return DumpJson(error);
}

bool NonEmptyString(const Json& object, std::string_view key) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_string() && !value->get_ref<const std::string&>().empty();
}

}  // namespace

UsageStream::UsageStream(std::string provider)
    : provider_(std::move(provider)), parser_([this](const net::SseEvent& event) { Event(event.data); }) {}

Status UsageStream::Feed(std::string_view bytes) {
  return parser_.Feed(bytes, 0);
}

void UsageStream::Event(std::string_view data) {
  if (data.empty()) return;
  if (data == "[DONE]") {
    closed_ = true;
    return;
  }
  if (content_ && IsPlainDelta(data)) return;
  auto parsed = ParseJson(data);
  if (!parsed || !parsed->is_object()) {
    cut_ = "an event is not a JSON object";
    return;
  }
  Object(*parsed);
}

void UsageStream::Object(const Json& event) {
  ++objects_;
  NoteError(event);
  std::string type = StringAt(event, "type").value_or("");
  if (type.starts_with("response.")) return Responses(type, event);
  bool anthropic = type.starts_with("message_") || type.starts_with("content_block_");
  if (anthropic) return Anthropic(type, event);
  if (type == "ping" || type == "error") return;
  Chunk(event);
}

void UsageStream::NoteError(const Json& event) {
  const Json* error = Find(event, "error");
  if (error == nullptr || error->is_null()) return;
  error_ = ErrorText(*error);
  if (error_.empty()) error_ = "an error without a text";
}

void UsageStream::Usage(const Json& usage, const char* source) {
  if (!usage.is_object()) {
    if (usage.is_null() && Find(merged_, "usage") == nullptr) merged_["usage"] = nullptr;
    return;
  }
  if (HasCacheCounters(usage))
    input_before_cache_ = input_in_start_ && Find(usage, "input_tokens") == nullptr;
  MergeNonNull(merged_["usage"], usage);
  source_ = source;
}

void UsageStream::Anthropic(const std::string& type, const Json& event) {
  closes_explicitly_ = true;
  content_ = content_ || HasAnthropicContent(event);
  if (type == "message_start") {
    restarted_ = restarted_ || merged_.contains("type");
    if (restarted_) merged_ = Json::object();
    merged_["type"] = "message";
    const Json* message = Find(event, "message");
    if (message == nullptr) return;
    CopyText(*message, merged_, {"id", "model"});
    const Json* usage = Find(*message, "usage");
    if (usage == nullptr) return;
    input_in_start_ = !HasCacheCounters(*usage) && IntAt(*usage, "input_tokens").value_or(0) > 0;
    Usage(*usage, "message_start.message.usage");
  } else if (type == "message_delta") {
    if (const Json* delta = Find(event, "delta")) CopyText(*delta, merged_, {"stop_reason"});
    if (const Json* usage = Find(event, "usage")) Usage(*usage, "message_start+message_delta");
  } else if (type == "message_stop") {
    closed_ = true;
    if (const Json* metrics = Find(event, "amazon-bedrock-invocationMetrics"); metrics != nullptr) {
      if (Find(merged_, "usage") == nullptr) merged_["amazon-bedrock-invocationMetrics"] = *metrics;
    }
  }
}

void UsageStream::Responses(const std::string& type, const Json& event) {
  closes_explicitly_ = true;
  content_ = content_ || NonEmptyString(event, "delta");
  const Json* response = Find(event, "response");
  if (response == nullptr) return;
  merged_["object"] = "response";
  CopyText(*response, merged_, {"id", "model", "status"});
  NoteError(*response);
  if (const Json* usage = Find(*response, "usage")) Usage(*usage, "response.usage");
  closed_ =
      closed_ || type == "response.completed" || type == "response.incomplete" || type == "response.failed";
}

void UsageStream::Chunk(const Json& event) {
  CopyText(event, merged_, {"id", "model", "object", "provider", "cost", "modelVersion", "responseId"});
  if (Find(event, "choices") != nullptr) Choices(event);
  if (const Json* usage = Find(event, "usage")) Usage(*usage, "usage");
  for (const char* part : {"timings", "usageMetadata", "meta_info", "prompt_progress"}) {
    const Json* found = Find(event, part);
    if (found != nullptr && found->is_object()) MergeNonNull(merged_[part], *found);
  }
  Native(event);
}

void UsageStream::Choices(const Json& event) {
  content_ = content_ || HasOpenAiContent(event);
  const Json* choices = Find(event, "choices");
  if (!choices->is_array() || choices->empty()) return;
  const Json& first = (*choices)[0];
  if (auto reason = StringAt(first, "finish_reason"); reason && !reason->empty()) {
    finish_ = true;
    merged_["stop_reason"] = *reason;
  }
  if (const Json* usage = Find(first, "usage"); usage != nullptr && usage->is_object()) {
    Usage(*usage, "choices[0].usage");
  }
  if (Find(merged_, "choices") == nullptr) merged_["choices"] = Json::array();
}

// Streams that are not OpenAI's or Anthropic's: Gemini, SGLang, llama-server, Ollama, Bedrock.
void UsageStream::Native(const Json& event) {
  content_ = content_ || NonEmptyString(event, "content") || NonEmptyString(event, "text") ||
             NonEmptyString(event, "response") || FindPath(event, "contentBlockDelta") != nullptr;
  if (const Json* message = Find(event, "message"))
    content_ = content_ || NonEmptyString(*message, "content");
  if (const Json* candidates = Find(event, "candidates"); candidates != nullptr && candidates->is_array()) {
    merged_["candidates"] = Json::array();
    for (const auto& candidate : *candidates) {
      content_ = content_ || FindPath(candidate, "content/parts") != nullptr;
      finish_ = finish_ || StringAt(candidate, "finishReason").has_value();
    }
  }
  if (BoolAt(event, "done").value_or(false) || BoolAt(event, "stop").value_or(false)) {
    finish_ = true;
    MergeNonNull(merged_, event);
  }
  const Json* reason = FindPath(event, "meta_info/finish_reason");
  finish_ = finish_ || (reason != nullptr && !reason->is_null()) || Find(event, "messageStop") != nullptr;
  if (const Json* usage = FindPath(event, "metadata/usage")) Usage(*usage, "metadata.usage");
}

Reply UsageStream::Finish() {
  (void)parser_.Feed("\n\n", 0);  // completes a last event whose empty line is missing; a cut one is not JSON
  bool no_input = objects_ == 0 && !closed_;
  auto read = ReadReply(merged_, provider_, input_before_cache_);
  Reply reply = read.value_or(Reply{});
  if (!source_.empty() && reply.source == "usage") reply.source = source_;
  if (!read || reply.source.empty()) {
    reply.usage.AddFlag("no_usage");
    reply.usage.AddFlag("unknown_not_zero");
  }
  bool whole = closed_ || (finish_ && !closes_explicitly_);
  if (failed()) reply.usage.AddFlag("error");
  if (!failed() && (!whole || !cut_.empty() || no_input)) reply.usage.AddFlag("truncated");
  bool nothing_out = !reply.usage.out_total.present() || reply.usage.out_total.value().count == 0;
  if (whole && !failed() && !content_ && nothing_out) reply.usage.AddFlag("suspect_empty");
  if (restarted_) reply.usage.AddFlag("restarted");
  reply.error = error_;
  return reply;
}

}  // namespace helix::usage
