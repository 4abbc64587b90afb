#include "core/consistency/reply_diagnosis.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"
#include "core/consistency/minimum_table.h"
#include "core/usage/recognise.h"

namespace helix::consistency {
namespace {

std::string Backend(const Json& input, const usage::Reply& reply) {
  if (auto named = StringAt(input, "backend")) return *named;
  return reply.shape;
}

const Json& ReplyIn(const Json& input) {
  for (const char* key : {"reply", "response", "body"})
    if (const Json* inner = Find(input, key); inner && inner->is_object()) return *inner;
  return input;
}

// An engine's own counters over a known shared prefix.
std::optional<Json> FromBlocks(const Json& input) {
  const auto shared =
      FirstNumber(input, {"shared_prefix_tokens", "expected_prefix_tokens", "shared_tokens", "lcp"});
  const auto block = FirstNumber(input, {"block_size", "block", "page_size", "granularity"});
  auto hits = FirstNumber(input, {"metrics_delta/hits", "delta/hits", "hits", "cached", "cached_tokens"});
  if (!shared || !block || *block <= 0) return std::nullopt;
  if (!hits) {
    const auto reply = usage::ReadReply(ReplyIn(input));
    if (reply && reply->usage.cache_read.present())
      hits = static_cast<double>(reply->usage.cache_read.value().count);
  }
  const std::string backend = StringAt(input, "backend").value_or("");
  const Json numbers{{"shared_prefix_tokens", *shared}, {"block_size", *block}, {"hits", OrNull(hits)}};
  if (hits && *hits > 0)
    return FindingJson("OK_PARTIAL_HIT", "the engine counted " + NumberText(*hits) + " reused tokens",
                       backend, numbers);
  if (*shared < *block)
    return FindingJson("BELOW_BLOCK",
                       "the shared prefix of " + NumberText(*shared) +
                           " tokens is shorter than one block of " + NumberText(*block),
                       backend, numbers);
  if (!hits) return std::nullopt;
  return FindingJson("ENGINE_CANNOT_REUSE",
                     "no token of a shared prefix of " + NumberText(*shared) +
                         " was reused although a block holds " + NumberText(*block),
                     backend, numbers);
}

// The same call seen at the server and behind a gateway.
std::optional<Json> FromTwoPlaces(const Json& input) {
  const Json* near = nullptr;
  const Json* far = nullptr;
  for (const char* key : {"direct", "upstream", "server", "backend_reply", "upstream_reply"})
    if (const Json* value = Find(input, key); value && value->is_object() && !near) near = value;
  for (const char* key :
       {"gateway", "via_gateway", "through_gateway", "client", "proxy", "gateway_reply", "reply"})
    if (const Json* value = Find(input, key); value && value->is_object() && !far) far = value;
  if (!near) return std::nullopt;
  const auto at_server = usage::ReadReply(*near);
  const auto behind = usage::ReadReply(far ? *far : input);
  if (!at_server || !behind || !at_server->usage.cache_read.present() || behind->usage.cache_read.present())
    return std::nullopt;
  return FindingJson("REPORTING_DROPPED_BY_GATEWAY",
                     "the server reports " + std::to_string(at_server->usage.cache_read.value().count) +
                         " reused tokens and the reply behind the gateway reports none",
                     "", Json{{"cached_at_server", at_server->usage.cache_read.value().count}});
}

// A chat-completions id in an Anthropic reply: a gateway translated it. Anthropic itself always reports its
// counters.
bool Translated(const Json& input, const Json& reply) {
  const std::string id = StringAt(reply, "id").value_or("");
  const bool message = StringAt(reply, "type") == "message";
  const bool named = Find(input, "gateway") || Find(input, "via") || Find(input, "proxy");
  const std::string backend = StringAt(input, "backend").value_or("");
  return named || (message && (id.rfind("chatcmpl", 0) == 0 || id.rfind("gen-", 0) == 0)) ||
         (backend == "anthropic" && !Find(reply, "trace"));
}

Json NotReported(const Json& input, const usage::Reply& reply) {
  const bool null = reply.usage.visibility == usage::Visibility::kNull;
  const Json& body = ReplyIn(input);
  if (!null && Translated(input, body))
    return FindingJson("REPORTING_DROPPED_BY_GATEWAY",
                       "the reply has passed a gateway and carries no cache fields", Backend(input, reply));
  const std::string fact = null ? "the field for reused tokens is null: not reported, which is not zero"
                                : "the reply has no field for reused tokens: not reported, which is not zero";
  return FindingJson("REPORTING_OFF", fact, Backend(input, reply), Json{{"cached", nullptr}});
}

// Both of Anthropic's counters are zero.
Json NothingCached(const Json& input, const usage::Reply& reply) {
  const auto marked = FirstBool(input, {"request_has_cache_control", "has_cache_control", "cache_control"});
  const auto prefix = FirstNumber(input, {"prefix_tokens", "marked_tokens", "prompt_tokens"});
  const auto total = usage::CountOf(reply.usage.in_total);
  const std::string backend = Backend(input, reply);
  if (marked == false)
    return FindingJson("BREAKPOINT_MISSING", "the request carried no cache_control and nothing was cached",
                       "anthropic");
  if (!prefix && !total) return Unconfirmed("nothing was cached, and the reply has no prompt length");
  const double size = prefix ? *prefix : static_cast<double>(*total);
  auto minimum = FirstNumber(input, {"model_min", "minimum", "min_tokens"});
  const std::string model = StringAt(input, "model").value_or(reply.model);
  const Minimum* row = MinimumFor(model);
  if (!minimum && row) minimum = static_cast<double>(row->tokens);
  const Json numbers{{"prefix_tokens", size}, {"model_min", OrNull(minimum)}};
  if (minimum && size < *minimum)
    return FindingJson("BELOW_MINIMUM",
                       "a prefix of " + NumberText(size) + " tokens is below the minimum of " +
                           NumberText(*minimum) + " tokens",
                       backend, numbers);
  if (!minimum && size < static_cast<double>(LowestMinimum()))
    return FindingJson("BELOW_MINIMUM",
                       "a prefix of " + NumberText(size) + " tokens is below every minimum known", backend,
                       numbers);
  if (marked == true && minimum)
    return FindingJson("CACHE_NOT_FUNCTIONING",
                       "a marked prefix of " + NumberText(size) + " tokens was neither written nor read",
                       backend, numbers);
  return Unconfirmed(
      "nothing was cached; whether the request was marked and the model's minimum are not known", numbers);
}

Json Reported(const Json& input, const usage::Reply& reply) {
  const std::int64_t read = reply.usage.cache_read.value().count;
  const auto total = usage::CountOf(reply.usage.in_total);
  const auto writes = usage::CountOf(reply.usage.Writes());
  const auto expected =
      FirstNumber(input, {"expected_cached", "expected_prefix_tokens", "shared_prefix_tokens"});
  const double basis = expected.value_or(static_cast<double>(total.value_or(read)));
  const Json numbers{{"cached", read}, {"prompt", OrNull(total)}};
  if (read > 0 && static_cast<double>(read) >= kTrivialShare * basis)
    return FindingJson("OK_PARTIAL_HIT",
                       "reused " + std::to_string(read) + " of " +
                           (total ? std::to_string(*total) : "an unknown number of") + " tokens",
                       Backend(input, reply), numbers);
  if (read == 0 && writes == 0) return NothingCached(input, reply);
  const std::string backend = Backend(input, reply);
  if (read == 0 && backend == "openai" && total && *total < 1024)
    return FindingJson("BELOW_MINIMUM",
                       "a prompt of " + std::to_string(*total) + " tokens is below the minimum of 1024",
                       backend, numbers);
  if (read > 0)
    return Unconfirmed("reused " + std::to_string(read) +
                           " tokens, which is no reuse (a BOS token or a template's first "
                           "words); whether more was to be expected is not known",
                       numbers);
  if (writes && *writes > 0)
    return Unconfirmed(
        "the prefix was written and not read; whether an earlier request wrote it is not known", numbers);
  return Unconfirmed("no token was reused; whether an earlier request left anything to reuse is not known",
                     numbers);
}

}  // namespace

Json DiagnoseReply(const Json& input) {
  if (auto found = FromBlocks(input)) return *found;
  if (auto found = FromTwoPlaces(input)) return *found;
  const auto reply = usage::ReadReply(ReplyIn(input));
  if (!reply) return Unconfirmed("no usage was found in the reply");
  if (!reply->usage.cache_read.present()) return NotReported(input, *reply);
  return Reported(input, *reply);
}

}  // namespace helix::consistency
