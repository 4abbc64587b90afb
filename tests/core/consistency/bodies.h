// Bodies for the tests: one healthy conversation in several wire shapes, to be changed in one place.
#pragma once
#include <string>

#include "core/base/json.h"

namespace helix::consistency {

inline Json AnthropicBody() {
  return *ParseJson(R"({"model":"demo","max_tokens":32,
    "tools":[{"name":"Read","description":"Read one file","input_schema":{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer"}}}},
             {"name":"Grep","description":"Search files","input_schema":{"type":"object","properties":{"pattern":{"type":"string"}}}},
             {"name":"mcp__notes__list","description":"List notes","input_schema":{"type":"object","properties":{}}}],
    "system":[{"type":"text","text":"You help with code. Answer in one line. Never guess.","cache_control":{"type":"ephemeral"}}],
    "messages":[{"role":"user","content":"read the changelog"},
                {"role":"assistant","content":[{"type":"text","text":"I will look."},{"type":"tool_use","id":"t1","name":"Read","input":{"path":"CHANGELOG.md","offset":0}}]},
                {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"0.1 first release","cache_control":{"type":"ephemeral"}}]}]})");
}

inline Json ChatBody() {
  return *ParseJson(R"({"model":"demo","max_tokens":32,
    "messages":[{"role":"system","content":"You help with code. Answer in one line."},
                {"role":"user","content":"what is the weather in Oslo"},
                {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"place\":\"Oslo\",\"unit\":\"C\"}"}}]},
                {"role":"tool","tool_call_id":"c1","content":"4 degrees"}]})");
}

// The next turn: an answer, and a new user message that carries the marker in Anthropic's shape.
inline Json NextTurn(Json body) {
  const bool anthropic = body.contains("system");
  body["messages"].push_back(*ParseJson(R"({"role":"assistant","content":"Done."})"));
  body["messages"].push_back(
      anthropic
          ? *ParseJson(
                R"({"role":"user","content":[{"type":"text","text":"and now?","cache_control":{"type":"ephemeral"}}]})")
          : *ParseJson(R"({"role":"user","content":"and now?"})"));
  return body;
}

// Both turns with a system text of their own.
inline std::pair<Json, Json> WithSystem(const std::string& before, const std::string& after) {
  Json a = AnthropicBody();
  Json b = NextTurn(a);
  a["system"][0]["text"] = before;
  b["system"][0]["text"] = after;
  return {a, b};
}

}  // namespace helix::consistency
