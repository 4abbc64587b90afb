#include "core/tracks/track_b/local_server.h"

#include "core/backend/synthetic_weights.h"
#include "core/base/json_fields.h"
#include "core/net/json_post.h"

namespace helix::tracks {
namespace {

// The JSON of a 200 reply; nullopt for everything else.
std::optional<Json> AskBelowBase(net::HttpClient& http, const TrackBTarget& target, const std::string& path,
                                 const Json& body, const RunContext& context) {
  net::HttpRequest request = net::JsonPost(target.client.base.path + path, body);
  target.client.credentials.AddTo(request.headers);
  request.total_timeout = Millis{20'000};
  auto response = http.Send(request, context);
  if (!response || response->status != 200) return std::nullopt;
  auto json = ParseJson(response->body);
  return json ? std::optional(std::move(*json)) : std::nullopt;
}

// The count of a conversation with this system text; llama-server's own count_tokens.
std::optional<std::int64_t> CountTokens(net::HttpClient& http, const TrackBTarget& target,
                                        const std::string& system, const std::string& user,
                                        const RunContext& context) {
  const Json body = {{"model", target.model},
                     {"system", system},
                     {"messages", Json::array({{{"role", "user"}, {"content", user}}})}};
  const auto reply = AskBelowBase(http, target, "/messages/count_tokens", body, context);
  return reply ? IntAt(*reply, "input_tokens") : std::nullopt;
}

// What the server reads of a system text that begins with another letter than the one before it: the
// template's own first tokens. nullopt when the replies do not tell, as with several slots.
std::optional<std::int64_t> LeadingTemplateTokens(net::HttpClient& http, const TrackBTarget& target,
                                                  const RunContext& context) {
  std::optional<std::int64_t> read;
  for (const char* system : {"alpha", "zebra"}) {
    const Json body = {{"model", target.model},
                       {"max_tokens", 1},
                       {"system", Json::array({{{"type", "text"}, {"text", system}}})},
                       {"messages", Json::array({{{"role", "user"}, {"content", "b"}}})}};
    const auto reply = AskBelowBase(http, target, "/messages", body, context);
    read = reply ? IntAt(*reply, "usage/cache_read_input_tokens") : std::nullopt;
  }
  return read && *read > 0 ? read : std::nullopt;
}

// Context per slot, and whether the weights are random ones of this project.
void ReadProps(net::HttpClient& http, TrackBTarget& target, const RunContext& context) {
  net::HttpRequest request;
  request.path = "/props";
  request.total_timeout = Millis{10'000};
  auto response = http.Send(request, context);
  auto props = response && response->status == 200 ? ParseJson(response->body) : Result<Json>(Json::object());
  if (!props) return;
  target.context_tokens = IntAt(*props, "default_generation_settings/n_ctx");
  backend::Identity identity;
  identity.model_id = target.model;
  identity.facts["model_file"] = StringAt(*props, "model_path").value_or("");
  target.synthetic_weights = backend::HasSyntheticWeightsMark(identity);
  if (target.synthetic_weights) {
    target.notices.emplace_back(
        "The model has random weights (synthetic): its answers mean nothing, its times are real.");
  }
}

// Long enough that the template's tokens do not matter, of the words the plan uses.
const std::string& Sample() {
  static const std::string sample = [] {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "market window copper garden letter bridge silver valley ";
    return text;
  }();
  return sample;
}

std::optional<std::string> FirstModel(backend::HostedClient& client, const RunContext& context) {
  auto models = client.Get("/models", context);
  if (!models || models->status != 200) return std::nullopt;
  auto json = ParseJson(models->body);
  const Json* list = json ? Find(*json, "data") : nullptr;
  if (list == nullptr || !list->is_array() || list->empty()) return std::nullopt;
  return StringAt((*list)[0], "id");
}

Skip NoAnswer(const std::string& what) {
  return MakeSkip("server_unreachable", "the llama-server did not answer " + what,
                  "check the server and its log");
}

}  // namespace

Result<std::variant<TrackBTarget, Skip>> AdoptLlamaServer(TrackBTarget target,
                                                          const std::optional<std::string>& model,
                                                          const Settings& settings,
                                                          const RunContext& context) {
  target.free = true;
  target.client.check_model = false;  // it answers with its own file's name whatever was asked
  target.client.takes_markers = false;
  bool anthropic = target.client.protocol == backend::Protocol::kAnthropicMessages;
  target.label = std::string(anthropic ? "anthropic" : "openai") + "-compatible (llama.cpp)";
  if (settings.api_key && !settings.from_agent)
    target.client.credentials = {*settings.api_key, "HELIX_LLM_API_KEY", true};
  backend::HostedClient client(target.client);
  auto first = FirstModel(client, context);
  if (!first) return NoAnswer("/v1/models");
  target.model = model.value_or(*first);
  net::HttpClient http(target.client.base.origin);
  auto empty = CountTokens(http, target, "a", "b", context);
  auto full = CountTokens(http, target, Sample(), "b", context);
  if (!empty || !full || *full <= *empty) return NoAnswer("/v1/messages/count_tokens");
  const auto leading = LeadingTemplateTokens(http, target, context);
  target.template_tokens = leading.value_or(*empty - 2);
  target.template_tokens_of = leading ? "before the system text" : "in all";
  ReadProps(http, target, context);
  target.chars_per_token = double(Sample().size()) / double(*full - *empty);
  return target;
}

void CountPrefix(TrackBTarget& target, const std::string& system, const RunContext& context) {
  net::HttpClient http(target.client.base.origin);
  auto one = CountTokens(http, target, "a", "b", context);
  auto all = CountTokens(http, target, system, "b", context);
  if (!one || !all || !target.template_tokens || *all <= *one) return;
  const bool leading = target.template_tokens_of == "before the system text";
  target.prefix_tokens_counted = *all - *one + 1 + (leading ? *target.template_tokens : 0);
}

}  // namespace helix::tracks
