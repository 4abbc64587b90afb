#include "core/consistency/reply_trace.h"

#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"
#include "core/usage/recognise.h"

namespace helix::consistency {
namespace {

std::optional<double> Number(const Measured<Tokens>& tokens) {
  return tokens.present() ? std::optional(static_cast<double>(tokens.value().count)) : std::nullopt;
}

void TakeUsage(const Json& entry, TraceStep& step) {
  const auto reply = usage::ReadReply(entry);
  if (!reply) return;
  step.read = Number(reply->usage.cache_read);
  step.written = Number(reply->usage.Writes());
  step.uncached = Number(reply->usage.in_uncached);
  step.total = Number(reply->usage.in_total);
  step.time_ms = reply->ttft_ms ? reply->ttft_ms : reply->wall_ms;
  step.route = reply->provider_name;
}

void TakeBare(const Json& entry, TraceStep& step) {
  const auto fill = [&entry](std::optional<double>& slot, const std::vector<std::string_view>& names) {
    if (auto value = FirstNumber(entry, names)) slot = value;
  };
  fill(step.read, {"cache_read", "read", "cached", "cached_tokens", "cache_n"});
  fill(step.written, {"cache_write", "written", "write"});
  fill(step.uncached, {"uncached", "input"});
  fill(step.total, {"prompt", "prompt_tokens", "total", "in_total"});
  fill(step.matched, {"matched", "match", "lcp", "matched_tokens"});
  fill(step.time_ms, {"ttft_ms", "wall_ms", "total_ms"});
  fill(step.gap_s, {"gap_s"});
  for (const char* key :
       {"provider", "provider_name", "route", "upstream", "region", "replica", "worker", "node", "endpoint"})
    if (auto word = StringAt(entry, key); word && step.route.empty()) step.route = *word;
}

TraceStep ReadStep(const Json& entry) {
  TraceStep step;
  const Json* inner = Find(entry, "reply");
  if (!inner) inner = Find(entry, "response");
  TakeUsage(inner ? *inner : entry, step);
  TakeBare(entry, step);
  if (!step.total && step.read && step.written && step.uncached)
    step.total = *step.read + *step.written + *step.uncached;
  return step;
}

bool ReadParallelLists(const Json& input, ReplyTrace& trace) {
  const Json* cached = Find(input, "cached");
  const Json* prompt = Find(input, "prompt");
  if (!cached || !cached->is_array()) return false;
  for (std::size_t i = 0; i < cached->size(); ++i) {
    TraceStep step;
    if ((*cached)[i].is_number()) step.read = (*cached)[i].get<double>();
    if (prompt && prompt->is_array() && i < prompt->size() && (*prompt)[i].is_number())
      step.total = (*prompt)[i].get<double>();
    trace.steps.push_back(step);
  }
  trace.parallel = true;
  return true;
}

}  // namespace

double TraceStep::Share() const {
  return read && total && *total > 0 ? *read / *total : 0;
}

ReplyTrace ReadReplyTrace(const Json& input) {
  ReplyTrace trace;
  trace.parallel = FirstBool(input, {"parallel", "concurrent"}).value_or(false);
  if (ReadParallelLists(input, trace)) return trace;
  for (const char* key : {"trace", "replies", "turns", "steps"}) {
    const Json* list = Find(input, key);
    if (!list || !list->is_array()) continue;
    for (const Json& entry : *list) trace.steps.push_back(ReadStep(entry));
    return trace;
  }
  trace.steps.push_back(ReadStep(input));
  return trace;
}

}  // namespace helix::consistency
