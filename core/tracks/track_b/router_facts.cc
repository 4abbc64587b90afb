#include "core/tracks/track_b/router_facts.h"

namespace helix::tracks {
namespace {

struct Known {
  const char* program;
  const char* markers;
  const char* usage;
  const char* evidence;
};

Known KnownOf(backend::Answerer answerer, bool anthropic) {
  switch (answerer) {
    case backend::Answerer::kCcr2:
      return {
          "claude-code-router 2.x",
          "to a chat upstream: stripped from tools, kept on system, text and tool results, unless the "
          "route's transformer is cleancache, or openrouter with a model that is not Claude; to an "
          "Anthropic upstream with the Anthropic transformer: kept",
          "streamed from a chat upstream: counters arrive only when the upstream puts usage into the "
          "finish chunk, or when the route has the streamoptions transformer and the usage chunk comes in a "
          "later read than the finish chunk; cache writes, DeepSeek's own fields and a top-level "
          "cached_tokens are lost in every case",
          "measured with 2.0.0, docs/claude-code-router.md"};
    case backend::Answerer::kCcr3:
      if (!anthropic)
        return {"claude-code-router 3.x", "kept: its chat endpoint hands the body on",
                "kept: its chat endpoint hands usage on", "reported for 3.1.1, not measured here"};
      return {"claude-code-router 3.x",
              "stripped on every route to another protocol, kept to an Anthropic upstream",
              "DeepSeek's own fields and a top-level cached_tokens are lost; ask its chat endpoint instead",
              "reported for 3.1.1, not measured here"};
    default:
      return {"a router that is not known", "not known", "not known", "none"};
  }
}

}  // namespace

Json RouterFacts(const TrackBRun& run, const TrackBTarget& target) {
  if (!backend::IsRouter(target.answerer)) return nullptr;
  const bool anthropic = target.client.protocol == backend::Protocol::kAnthropicMessages;
  const Known known = KnownOf(target.answerer, anthropic);
  std::size_t whole = 0;
  std::size_t with_counter = 0;
  std::size_t buffered = 0;
  for (const auto& call : run.calls) {
    buffered += call.reply.buffered ? 1 : 0;
    if (!call.reply.ok) continue;
    ++whole;
    with_counter += call.reply.reply.usage.cache_read.present() && CountsPrompt(call.reply) ? 1 : 0;
  }
  return {{"program", known.program},
          {"route", target.route},
          {"markers", known.markers},
          {"usage", known.usage},
          {"counters_came_back", std::to_string(with_counter) + " of " + std::to_string(whole)},
          {"buffered", buffered},
          {"evidence", known.evidence}};
}

}  // namespace helix::tracks
