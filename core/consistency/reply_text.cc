#include "core/consistency/reply_text.h"

#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/reply_diagnosis.h"
#include "core/consistency/trace_diagnosis.h"
#include "core/usage/usage_document.h"

namespace helix::consistency {
namespace {

void Put(Json& step, const char* key, const Measured<Tokens>& tokens) {
  if (tokens.present()) step[key] = tokens.value().count;
}

Json StepOf(const usage::Reply& reply) {
  Json step = Json::object();
  Put(step, "cache_read", reply.usage.cache_read);
  Put(step, "cache_write", reply.usage.Writes());
  Put(step, "uncached", reply.usage.in_uncached);
  Put(step, "prompt", reply.usage.in_total);
  if (reply.ttft_ms) step["ttft_ms"] = *reply.ttft_ms;
  if (!reply.provider_name.empty()) step["provider"] = reply.provider_name;
  return step;
}

}  // namespace

Json DiagnoseReplyValue(const Json& value) {
  if (value.is_array()) return DiagnoseReplyTrace(Json{{"trace", value}});
  for (const char* key : {"trace", "matched", "prefix_equal"})
    if (Find(value, key)) return DiagnoseReplyTrace(value);
  return DiagnoseReply(value);
}

Result<Json> DiagnoseReplyText(std::string_view text) {
  if (auto value = ParseJson(text); value && (value->is_object() || value->is_array()))
    return DiagnoseReplyValue(*value);
  auto document = usage::ReadUsageDocument(text);
  if (!document) return tl::make_unexpected(document.error());
  Json trace = Json::array();
  for (const usage::Reply& reply : document->replies) trace.push_back(StepOf(reply));
  return DiagnoseReplyTrace(Json{{"trace", std::move(trace)}});
}

}  // namespace helix::consistency
