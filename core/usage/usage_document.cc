#include "core/usage/usage_document.h"

#include "core/base/json_fields.h"
#include "core/usage/collect.h"
#include "core/usage/compare.h"
#include "core/usage/json_lines.h"
#include "core/usage/prometheus.h"
#include "core/usage/provider.h"
#include "core/usage/usage_stream.h"

namespace helix::usage {
namespace {

constexpr const char* kExpected =
    "expected a provider's JSON reply, a text/event-stream body, JSON lines, a {\"trace\": [...]} file or "
    "metrics text";

bool IsCompressed(std::string_view text) {
  return text.starts_with("\x1f\x8b\x08") || text.starts_with("\x28\xb5\x2f\xfd");
}

// A stream begins with a field or a comment; JSON never does.
bool LooksLikeStream(std::string_view text) {
  for (std::string_view field : {"data:", "event:", "id:", "retry:", ":"}) {
    if (text.starts_with(field)) return true;
  }
  return false;
}

std::string_view SkipLead(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  auto at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

Result<UsageDocument> FromStream(std::string_view text, const std::string& provider) {
  UsageStream stream(provider);
  HELIX_TRY(stream.Feed(text));
  UsageDocument document;
  document.replies.push_back(stream.Finish());
  return document;
}

Result<UsageDocument> FromJson(const Json& value, const std::string& provider) {
  UsageDocument document;
  Collected found = CollectReplies(value, provider);
  document.replies = std::move(found.replies);
  document.several = found.several;
  if (!document.replies.empty()) return document;
  if (IsStatusDocument(value)) {
    Reply status;
    status.usage.visibility = Visibility::kNoReply;
    status.usage.AddFlag("identity_check");
    document.replies.push_back(std::move(status));
    return document;
  }
  const Json* error = Find(value, "error");
  if (error == nullptr || error->is_null())
    return Fail(ErrorCode::kParse, "the JSON holds no model reply", kExpected);
  Reply failed;
  failed.usage.AddFlag("error");
  failed.usage.AddFlag("no_usage");
  failed.error = StringAt(*error, "message").value_or(DumpJson(*error));
  document.replies.push_back(std::move(failed));
  return document;
}

Result<UsageDocument> Read(std::string_view text, const std::string& provider) {
  if (LooksLikeStream(text)) return FromStream(text, provider);
  auto value = ParseJson(text);
  if (value) return FromJson(*value, provider);
  if (auto lines = ParseJsonLines(text)) {
    UsageDocument document;
    document.replies = RepliesOfLines(*lines, provider);
    document.several = document.replies.size() > 1;
    document.repeated = DropRepeats(document.replies);
    if (!document.replies.empty()) return document;
    return Fail(ErrorCode::kParse, "the JSON lines hold no model reply", kExpected);
  }
  if (LooksLikePrometheus(text)) {
    if (auto reply = ReadPrometheus(text)) return UsageDocument{{std::move(*reply)}, false, 0};
  }
  return Fail(ErrorCode::kParse, "no usage can be read: " + value.error().message, kExpected);
}

}  // namespace

Result<UsageDocument> ReadUsageDocument(std::string_view text, const std::string& provider) {
  if (!provider.empty() && !KnownProvider(provider)) {
    std::string names;
    for (auto name : ProviderNames()) names += (names.empty() ? "" : ", ") + std::string(name);
    return Fail(ErrorCode::kInvalidArgument, "unknown provider \"" + provider + "\"", "one of: " + names);
  }
  if (IsCompressed(text)) {
    return Fail(ErrorCode::kProtocol, "compressed_stream: the body is gzip or zstd, its usage cannot be read",
                "record replies with accept-encoding: identity");
  }
  text = SkipLead(text);
  if (text.empty()) return Fail(ErrorCode::kParse, "the file is empty", kExpected);
  auto document = Read(text, provider);
  if (document) CompareReplies(document->replies);
  return document;
}

Json ToJson(const UsageDocument& document) {
  Json out = ToJson(document.last());
  if (!document.several) return out;
  Json all = Json::array();
  for (const auto& reply : document.replies) all.push_back(ToJson(reply));
  out["replies"] = std::move(all);
  out["repeated_lines"] = document.repeated;
  return out;
}

}  // namespace helix::usage
