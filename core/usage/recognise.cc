#include "core/usage/recognise.h"

#include "core/base/json_fields.h"
#include "core/usage/settle.h"
#include "core/usage/shapes.h"

namespace helix::usage {
namespace {

bool HasAny(const Json& object, std::initializer_list<std::string_view> keys) {
  for (auto key : keys) {
    if (Find(object, key) != nullptr) return true;
  }
  return false;
}

// input_tokens alone means two things: with a total or details beside it, it includes the cached part.
Shape ShapeOfInputTokens(const Json& usage, const Json& reply, std::string_view provider) {
  if (HasAny(usage, {"cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation"}) &&
      !HasAny(usage, {"total_tokens", "input_tokens_details"})) {
    return Shape::kAnthropic;
  }
  if (HasAny(usage, {"input_tokens_details", "total_tokens", "x_details"}) ||
      StringAt(reply, "object") == "response") {
    return Shape::kOpenAiResponses;
  }
  if (StringAt(reply, "type") == "message") return Shape::kAnthropic;
  Shape named = ShapeOfBareInput(provider);
  return named == Shape::kNone ? Shape::kAnthropic : named;
}

Shape ShapeOfUsage(const Json& usage, const Json& reply, std::string_view provider) {
  if (HasAny(usage, {"inputTokens", "inputTokenCount"})) return Shape::kBedrock;
  if (HasAny(usage, {"native_tokens_prompt", "native_tokens_completion"})) return Shape::kOpenRouterRecord;
  if (HasAny(usage, {"prompt_tokens", "completion_tokens", "prompt_cache_hit_tokens"}))
    return Shape::kOpenAiChat;
  if (HasAny(usage, {"promptTokenCount", "prompt_token_count", "totalTokenCount"})) return Shape::kGemini;
  if (HasAny(usage,
             {"input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"})) {
    return ShapeOfInputTokens(usage, reply, provider);
  }
  return Shape::kNone;
}

const Json* FirstChoiceUsage(const Json& reply) {
  const Json* choices = Find(reply, "choices");
  if (choices == nullptr || !choices->is_array() || choices->empty()) return nullptr;
  return Find((*choices)[0], "usage");
}

bool IsLlamaServer(const Json& reply) {
  return FindPath(reply, "timings/prompt_n") != nullptr || FindPath(reply, "timings/cache_n") != nullptr ||
         Find(reply, "tokens_evaluated") != nullptr || FindPath(reply, "prompt_progress/total") != nullptr;
}

// Shapes that a member of the reply itself gives away.
std::optional<Located> LocateByMember(const Json& reply) {
  if (IsLlamaServer(reply)) {
    const Json* usage = Find(reply, "usage");
    bool has = usage != nullptr && usage->is_object();
    return Located{Shape::kLlamaServer, has ? usage : &reply, has ? "timings+usage" : "timings"};
  }
  for (const char* name : {"usageMetadata", "usage_metadata"}) {
    const Json* meta = Find(reply, name);
    if (meta != nullptr && meta->is_object()) return Located{Shape::kGemini, meta, name};
  }
  if (const Json* meta = Find(reply, "meta_info"); meta != nullptr && meta->is_object()) {
    return Located{Shape::kSglangMeta, meta, "meta_info"};
  }
  if (HasAny(reply,
             {"prompt_eval_count", "prompt_eval_duration", "eval_count", "prompt_eval_cached_count"})) {
    return Located{Shape::kOllama, &reply, "top level"};
  }
  return std::nullopt;
}

std::optional<Located> LocateByPlace(const Json& reply, std::string_view provider) {
  static constexpr std::string_view kPlaces[] = {
      "usage", "message/usage", "response/usage", "metadata/usage", "amazon-bedrock-invocationMetrics",
      "data"};
  for (auto place : kPlaces) {
    const Json* usage = FindPath(reply, place);
    if (usage == nullptr || !usage->is_object()) continue;
    Shape shape = ShapeOfUsage(*usage, reply, provider);
    if (shape == Shape::kNone) continue;
    std::string source(place);
    for (char& c : source) c = c == '/' ? '.' : c;
    return Located{shape, usage, source};
  }
  return std::nullopt;
}

using Reader = void (*)(const ShapeInput&, Reply&);

Reader ReaderOf(Shape shape) {
  switch (shape) {
    case Shape::kAnthropic:
      return ReadAnthropic;
    case Shape::kOpenAiChat:
      return ReadOpenAiChat;
    case Shape::kOpenAiResponses:
      return ReadOpenAiResponses;
    case Shape::kGemini:
      return ReadGemini;
    case Shape::kBedrock:
      return ReadBedrock;
    case Shape::kOpenRouterRecord:
      return ReadOpenRouterRecord;
    case Shape::kLlamaServer:
      return ReadLlamaServer;
    case Shape::kSglangMeta:
      return ReadSglangMeta;
    case Shape::kOllama:
      return ReadOllama;
    case Shape::kLmStudioStats:
      return ReadLmStudioStats;
    case Shape::kNone:
      return nullptr;
  }
  return nullptr;
}

std::string FirstText(const Json& reply, std::initializer_list<std::string_view> paths) {
  for (auto path : paths) {
    if (auto text = StringAt(reply, path)) return *text;
  }
  return {};
}

void ReadNames(const Json& reply, Reply& out) {
  out.model = FirstText(reply, {"model", "message/model", "response/model", "data/model", "modelVersion"});
  out.id = FirstText(reply,
                     {"id", "message/id", "response/id", "responseId", "meta_info/id", "data/generation_id"});
  out.request_id = FirstText(reply, {"requestId", "request_id"});
  out.provider_name = FirstText(reply, {"provider"});
  out.finish = FirstText(reply, {"stop_reason", "message/stop_reason", "status", "done_reason", "stop_type"});
  if (out.finish.empty()) {
    const Json* choices = Find(reply, "choices");
    if (choices != nullptr && choices->is_array() && !choices->empty()) {
      out.finish = FirstText((*choices)[0], {"finish_reason"});
    }
  }
  out.ttft_ms = NumberAt(reply, "ttft_ms");
  out.wall_ms = NumberAt(reply, "wall_ms");
}

}  // namespace

Located Locate(const Json& reply, std::string_view provider) {
  if (!reply.is_object()) return {};
  if (auto found = LocateByMember(reply)) return *found;
  if (auto found = LocateByPlace(reply, provider)) return *found;
  if (const Json* usage = FirstChoiceUsage(reply); usage != nullptr && usage->is_object()) {
    Shape shape = ShapeOfUsage(*usage, reply, provider);
    if (shape != Shape::kNone) return {shape, usage, "choices[0].usage"};
  }
  if (const Json* stats = Find(reply, "stats"); stats != nullptr && Find(*stats, "input_tokens") != nullptr) {
    return {Shape::kLmStudioStats, stats, "stats"};
  }
  Shape bare = ShapeOfUsage(reply, reply, provider);
  return bare == Shape::kNone ? Located{} : Located{bare, &reply, "top level"};
}

bool LooksLikeReply(const Json& reply) {
  if (!reply.is_object()) return false;
  const Json* choices = Find(reply, "choices");
  if (choices != nullptr && choices->is_array()) return true;
  auto type = StringAt(reply, "type");
  auto object = StringAt(reply, "object");
  return (type == "message" && Find(reply, "content") != nullptr) || object == "response" ||
         Find(reply, "candidates") != nullptr ||
         (Find(reply, "usage") != nullptr && Find(reply, "usage")->is_null());
}

std::optional<Reply> ReadReply(const Json& reply, std::string_view provider, bool input_before_cache) {
  Located located = Locate(reply, provider);
  if (located.shape == Shape::kNone && !LooksLikeReply(reply)) return std::nullopt;
  Reply out;
  ReadNames(reply, out);
  out.source = located.source;
  if (Reader read = ReaderOf(located.shape)) {
    read({reply, *located.usage, input_before_cache}, out);
  } else {
    out.usage.AddFlag("no_usage");
    out.usage.AddFlag("unknown_not_zero");
  }
  return out;
}

}  // namespace helix::usage
