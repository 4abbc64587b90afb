// Fixture tools that need input, as 2026-07-28 has it: a result that asks, and a second call that brings the
// answers.
#include <map>
#include <random>

#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "mcp/conformance/fixtures.h"

namespace helix::mcp {
namespace {

constexpr const char* kName =
    R"({"method":"elicitation/create","params":{"mode":"form","message":"What is your name?",
  "requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}})";
constexpr const char* kColour =
    R"({"method":"elicitation/create","params":{"mode":"form","message":"Which colour?",
  "requestedSchema":{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}}})";
constexpr const char* kConfirm =
    R"({"method":"elicitation/create","params":{"mode":"form","message":"Please confirm",
  "requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}}})";
constexpr const char* kContext = R"({"method":"elicitation/create","params":{"mode":"form",
  "message":"What context should the prompt use?","requestedSchema":{"type":"object",
  "properties":{"context":{"type":"string"}},"required":["context"]}}})";
constexpr const char* kCapital = R"({"method":"sampling/createMessage","params":{"messages":[{"role":"user",
  "content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":100}})";
constexpr const char* kRoots = R"({"method":"roots/list","params":{}})";

using Round = std::map<std::string, const char*>;

struct RoundTrip {
  std::string name;
  std::vector<Round> rounds;
  bool with_state;
};

// What a client sends back as state was made by us: a secret of this process is hashed into it.
std::string StateText(const std::string& name, std::size_t round) {
  static const std::string secret = [] {
    std::random_device random;
    return std::to_string(random()) + std::to_string(random()) + std::to_string(random());
  }();
  const auto plain = name + "." + std::to_string(round);
  return plain + "." + evidence::Sha256Hex(secret + plain + secret);
}

std::string CapabilityOf(const Json& ask) {
  const auto method = StringAt(ask, "method").value_or("");
  return method.substr(0, method.find('/'));
}

// Only what the client declared is asked for; a client that declared nothing at all is asked everything.
Json Asked(const Round& round, const Json& capabilities) {
  Json requests = Json::object();
  for (const auto& [key, text] : round) {
    Json ask = *ParseJson(text);
    if (capabilities.empty() || capabilities.contains(CapabilityOf(ask))) requests[key] = std::move(ask);
  }
  return requests;
}

bool Answered(const Round& round, const Json& capabilities, const Json& responses) {
  const Json requests = Asked(round, capabilities);
  for (const auto& [key, unused] : requests.items()) {
    const Json* response = Find(responses, key);
    if (response == nullptr || !response->is_object()) return false;  // not an answer: ask again
  }
  return true;
}

// The round that `state` was given out for; nullopt: it was not given out by us.
std::optional<std::size_t> RoundOf(const RoundTrip& trip, const std::string& state) {
  if (state.empty()) return 0;
  for (std::size_t i = 0; i < trip.rounds.size(); ++i) {
    if (state == StateText(trip.name, i)) return i;
  }
  return std::nullopt;
}

RpcResult<Json> Answer(const RoundTrip& trip, Call& call, const Json& complete) {
  const auto at = RoundOf(trip, call.request_state);
  if (!at)
    return tl::make_unexpected(
        RpcError{kInvalidParams, "requestState is not one that this server gave", nullptr});
  std::size_t round = *at;
  if (Answered(trip.rounds[round], call.client_capabilities, call.input_responses)) ++round;
  if (round == trip.rounds.size()) return complete;
  Json result{{"resultType", "input_required"},
              {"inputRequests", Asked(trip.rounds[round], call.client_capabilities)}};
  if (trip.with_state) result["requestState"] = StateText(trip.name, round);
  return result;
}

std::vector<RoundTrip> Trips() {
  const std::string p = "test_input_required_result_";
  return {{p + "elicitation", {{{"user_name", kName}}}, false},
          {p + "sampling", {{{"capital_question", kCapital}}}, false},
          {p + "list_roots", {{{"client_roots", kRoots}}}, false},
          {p + "request_state", {{{"confirm", kConfirm}}}, true},
          {p + "multiple_inputs",
           {{{"user_name", kName}, {"greeting", kCapital}, {"client_roots", kRoots}}},
           true},
          {p + "multi_round", {{{"step1", kName}}, {{"step2", kColour}}}, true},
          {p + "tampered_state", {{{"confirm", kConfirm}}}, true},
          {p + "capabilities", {{{"user_name", kName}, {"greeting", kCapital}}}, false},
          {"test_streaming_elicitation", {{{"user_name", kName}}}, false}};
}

}  // namespace

std::vector<ServerTool> RoundTripFixtureTools() {
  std::vector<ServerTool> tools;
  for (const auto& trip : Trips()) {
    tools.push_back(FixtureTool(trip.name, ToolDuration::kInstant, [trip](Call& call) {
      return Answer(trip, call, TextResult("state-ok, got " + DumpJson(call.input_responses)));
    }));
  }
  return tools;
}

std::vector<ServerPrompt> FixturePrompts() {
  const auto user = [](const Json& content) { return Json{{"role", "user"}, {"content", content}}; };
  const auto text = [user](const std::string& words) {
    return user(Json{{"type", "text"}, {"text", words}});
  };
  const auto argument = [](const char* name) {
    return Json{{"name", name}, {"description", "A fixture argument"}, {"required", true}};
  };
  const auto prompt = [](const char* name, Json arguments, CallHandler get) {
    Json listing{{"name", name}, {"description", std::string("Conformance fixture ") + name}};
    if (!arguments.empty()) listing["arguments"] = std::move(arguments);
    return ServerPrompt{std::move(listing), std::move(get), {}};
  };
  std::vector<ServerPrompt> prompts;
  prompts.push_back(prompt("test_simple_prompt", Json::array(), [=](Call&) -> RpcResult<Json> {
    return Json{{"messages", Json::array({text("This is a simple prompt for testing.")})}};
  }));
  prompts.push_back(
      prompt("test_prompt_with_arguments", Json::array({argument("arg1"), argument("arg2")}),
             [=](Call& call) -> RpcResult<Json> {
               return Json{{"messages",
                            Json::array({text("Prompt with arguments: arg1='" +
                                              StringAt(call.arguments, "arg1").value_or("") + "', arg2='" +
                                              StringAt(call.arguments, "arg2").value_or("") + "'")})}};
             }));
  prompts.back().complete = [](const std::string&, const std::string& prefix) {
    std::vector<std::string> values;
    for (const std::string value : {"paris", "park", "party", "test"}) {
      if (value.rfind(prefix, 0) == 0) values.push_back(value);
    }
    return values;
  };
  prompts.push_back(
      prompt("test_prompt_with_embedded_resource", Json::array({argument("resourceUri")}),
             [=](Call& call) -> RpcResult<Json> {
               const Json resource{{"uri", StringAt(call.arguments, "resourceUri").value_or("")},
                                   {"mimeType", "text/plain"},
                                   {"text", "Embedded resource content for testing."}};
               return Json{{"messages", Json::array({user(Json{{"type", "resource"}, {"resource", resource}}),
                                                     text("Please process the embedded resource above.")})}};
             }));
  prompts.push_back(prompt("test_prompt_with_image", Json::array(), [=](Call&) -> RpcResult<Json> {
    const Json image{{"type", "image"}, {"data", kTinyPng}, {"mimeType", "image/png"}};
    return Json{{"messages", Json::array({user(image), text("Please analyze the image above.")})}};
  }));
  prompts.push_back(prompt("test_input_required_result_prompt", Json::array(), [=](Call& call) {
    const RoundTrip trip{"test_input_required_result_prompt", {{{"user_context", kContext}}}, false};
    return Answer(trip, call,
                  Json{{"messages", Json::array({text("Context: " + DumpJson(call.input_responses))})}});
  }));
  return prompts;
}

}  // namespace helix::mcp
