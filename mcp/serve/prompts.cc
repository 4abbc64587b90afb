#include "mcp/serve/prompts.h"

#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

Json UserMessage(const std::string& description, const std::string& text) {
  const Json content{{"type", "text"}, {"text", text}};
  return Json{{"description", description},
              {"messages", Json::array({Json{{"role", "user"}, {"content", content}}})}};
}

Json Argument(const char* name, const char* description, bool required) {
  return Json{{"name", name}, {"description", description}, {"required", required}};
}

ServerPrompt IsMyCacheWorking() {
  const std::string title = "Is my cache working?";
  ServerPrompt prompt;
  prompt.listing = Json{
      {"name", "is_my_cache_working"},
      {"title", title},
      {"description", "Find out by measuring whether prefix caching works at an endpoint."},
      {"arguments", Json::array({Argument("endpoint", "Base URL; the configured one if left out", false)})}};
  prompt.get = [title](Call& call) -> RpcResult<Json> {
    const auto endpoint = StringAt(call.arguments, "endpoint");
    return UserMessage(
        title,
        "Is prefix caching working at " + endpoint.value_or("the configured endpoint") +
            "? Call probe_backend first and say what answers there. For a llama.cpp server then call "
            "bench_track_a with profile quick" +
            (endpoint ? " and this endpoint" : "") +
            "; if it answers with status running, call get_job until it is done. Report the verdict, the "
            "prefill ratio with its interval, the cached tokens of both arms, and every finding. If the "
            "verdict is SKIP, say why and what would make it run, and give no numbers.");
  };
  return prompt;
}

ServerPrompt WhyDidItMiss() {
  const std::string title = "Why did it miss?";
  ServerPrompt prompt;
  prompt.listing =
      Json{{"name", "why_did_it_miss"},
           {"title", title},
           {"description", "Explain why a request did not reuse the cached prefix of the one before."},
           {"arguments", Json::array({Argument("before", "The earlier request body, JSON", true),
                                      Argument("after", "The later request body, JSON", true)})}};
  prompt.get = [title](Call& call) -> RpcResult<Json> {
    return UserMessage(
        title,
        "The second of these two requests did not reuse the cache of the first. Call diagnose_miss with "
        "both, name the first difference it reports and the change that would remove it, and claim no "
        "cause that it does not report.\n\nFirst:\n" +
            StringAt(call.arguments, "before").value_or("") + "\n\nSecond:\n" +
            StringAt(call.arguments, "after").value_or(""));
  };
  return prompt;
}

ServerPrompt ProveThisClaim() {
  const std::string title = "Prove this speed-up claim";
  ServerPrompt prompt;
  prompt.listing =
      Json{{"name", "prove_this_claim"},
           {"title", title},
           {"description", "Check a claimed caching speed-up against its report, or measure it."},
           {"arguments",
            Json::array({Argument("claim", "The claim in its own words", true),
                         Argument("report", "Path of the report behind it, if there is one", false)})}};
  prompt.get = [title](Call& call) -> RpcResult<Json> {
    const auto report = StringAt(call.arguments, "report");
    return UserMessage(
        title,
        "Is this claim true: \"" + StringAt(call.arguments, "claim").value_or("") + "\"? " +
            (report ? "Call analyze_report and verify_report on " + *report +
                          " and list every finding with what it means for the claim."
                    : "There is no report, so measure: bench_track_a with profile standard, get_job until "
                      "it is done, then check_equivalence.") +
            " Answer with the verdict, the measured ratio and its interval. A claim without samples "
            "behind it is unproven; say so.");
  };
  return prompt;
}

}  // namespace

std::vector<ServerPrompt> ProductPrompts() {
  return {IsMyCacheWorking(), WhyDidItMiss(), ProveThisClaim()};
}

}  // namespace helix::mcp
