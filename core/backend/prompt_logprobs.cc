#include "core/backend/prompt_logprobs.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/net/json_post.h"

namespace helix::backend {
namespace {

constexpr char kInstead[] = "self-information needs a vLLM or SGLang server; structural and prune need none";

Error Unsupported(const std::string& seen) {
  return Error{ErrorCode::kNotFound, "prompt_logprobs: unsupported. " + seen, kInstead};
}

// BOS and its like stand before the text and are no part of it.
Result<PromptLogprobs> Checked(PromptLogprobs found, const std::string& text) {
  std::string joined;
  for (const auto& token : found.tokens) joined += token.text;
  while (joined.size() > text.size() && !found.tokens.empty() && !text.starts_with(found.tokens[0].text)) {
    joined.erase(0, found.tokens[0].text.size());
    found.tokens.erase(found.tokens.begin());
  }
  const auto scored = std::count_if(found.tokens.begin(), found.tokens.end(),
                                    [](const PromptToken& token) { return token.logprob.has_value(); });
  const bool whole = scored > 0 && static_cast<std::size_t>(scored) + 1 >= found.tokens.size();
  if (joined == text && whole) return found;
  return tl::make_unexpected(Unsupported("The server answered with " + std::to_string(found.tokens.size()) +
                                         " log-probabilities whose tokens do not give the prompt back"));
}

// [null, {"id": {"logprob": -1.2, "decoded_token": " a"}}, ...]. The prompt's own token is the entry's first.
std::optional<PromptLogprobs> FromVllm(const Json& list, const std::string& text) {
  if (!list.is_array() || list.empty()) return std::nullopt;
  PromptLogprobs out{"vllm", {}};
  std::string rest;
  for (const auto& entry : list) {
    if (!entry.is_object() || entry.empty()) {
      out.tokens.push_back({"", std::nullopt});
      continue;
    }
    const Json& first = *entry.begin();
    out.tokens.push_back({StringAt(first, "decoded_token").value_or(""), NumberAt(first, "logprob")});
    rest += out.tokens.back().text;
  }
  // The first token has no entry; what the others leave of the text is its own.
  if (out.tokens[0].text.empty() && text.ends_with(rest))
    out.tokens[0].text = text.substr(0, text.size() - rest.size());
  return out;
}

// The older form: parallel lists, the prompt's tokens first where the server echoes them.
std::optional<PromptLogprobs> FromEcho(const Json& logprobs, std::int64_t prompt_tokens) {
  const Json* tokens = Find(logprobs, "tokens");
  const Json* values = Find(logprobs, "token_logprobs");
  if (tokens == nullptr || values == nullptr || !tokens->is_array() || !values->is_array())
    return std::nullopt;
  const auto n = static_cast<std::size_t>(std::max<std::int64_t>(prompt_tokens, 0));
  if (n < 2 || tokens->size() < n || values->size() < n) return std::nullopt;
  PromptLogprobs out{"vllm", {}};
  for (std::size_t i = 0; i < n; ++i) {
    if (!(*tokens)[i].is_string()) return std::nullopt;
    const Json& value = (*values)[i];
    out.tokens.push_back({(*tokens)[i].get<std::string>(),
                          value.is_number() ? std::optional(value.get<double>()) : std::nullopt});
  }
  return out;
}

std::size_t GeneratedEntries(const Json& choice) {
  for (const char* path : {"logprobs/content", "logprobs/tokens"}) {
    const Json* list = FindPath(choice, path);
    if (list != nullptr && list->is_array()) return list->size();
  }
  return 0;
}

Result<Json> Post(net::HttpClient& http, const std::string& path, const std::string& key, const Json& body,
                  const RunContext& context) {
  net::HttpRequest request = net::JsonPost(path, body, key);
  request.total_timeout = Millis{120'000};
  request.max_bytes = std::size_t{64} << 20;
  auto response = http.Send(request, context);
  if (!response) return tl::make_unexpected(response.error());
  if (response->status != 200) {
    return tl::make_unexpected(
        Unsupported("POST " + path + " is answered with status " + std::to_string(response->status)));
  }
  return ParseJson(response->body);
}

}  // namespace

Result<PromptLogprobs> ReadCompletionLogprobs(const Json& reply, const std::string& text) {
  const Json* choices = Find(reply, "choices");
  const bool any = choices != nullptr && choices->is_array() && !choices->empty();
  const Json empty = Json::object();
  const Json& choice = any ? (*choices)[0] : empty;
  const Json* list = Find(choice, "prompt_logprobs");
  if (list != nullptr) {
    if (auto found = FromVllm(*list, text)) return Checked(std::move(*found), text);
  }
  const std::int64_t prompt_tokens = IntAt(reply, "usage/prompt_tokens").value_or(0);
  const Json* echoed = Find(choice, "logprobs");
  if (echoed != nullptr) {
    if (auto found = FromEcho(*echoed, prompt_tokens)) return Checked(std::move(*found), text);
  }
  return tl::make_unexpected(Unsupported(
      "The server accepted the request and answered with log-probabilities of " +
      std::to_string(GeneratedEntries(choice)) + " generated tokens and of none of the prompt's " +
      (prompt_tokens > 0 ? std::to_string(prompt_tokens) : std::string("own"))));
}

Result<PromptLogprobs> ReadGenerateLogprobs(const Json& reply, const std::string& text) {
  const Json* list = FindPath(reply, "meta_info/input_token_logprobs");
  if (list == nullptr || !list->is_array() || list->empty())
    return tl::make_unexpected(Unsupported("/generate gives no input_token_logprobs"));
  PromptLogprobs out{"sglang", {}};
  for (const auto& entry : *list) {
    if (!entry.is_array() || entry.size() < 3 || !entry[2].is_string())
      return tl::make_unexpected(Unsupported("/generate gives log-probabilities without the tokens' texts"));
    out.tokens.push_back({entry[2].get<std::string>(),
                          entry[0].is_number() ? std::optional(entry[0].get<double>()) : std::nullopt});
  }
  return Checked(std::move(out), text);
}

Result<PromptLogprobs> FetchPromptLogprobs(const std::string& base_url, const std::string& api_key,
                                           const std::string& text, const RunContext& context) {
  net::HttpClient http(base_url);
  const Json completion = {{"prompt", text}, {"max_tokens", 1}, {"temperature", 0},
                           {"echo", true},   {"logprobs", 1},   {"prompt_logprobs", 0}};
  auto reply = Post(http, "/v1/completions", api_key, completion, context);
  if (!reply && reply.error().code != ErrorCode::kNotFound) return tl::make_unexpected(reply.error());
  auto found = reply ? ReadCompletionLogprobs(*reply, text)
                     : Result<PromptLogprobs>(tl::make_unexpected(reply.error()));
  if (found) return found;
  const Json generate = {{"text", text},
                         {"sampling_params", {{"max_new_tokens", 0}, {"temperature", 0}}},
                         {"return_logprob", true},
                         {"logprob_start_len", 0},
                         {"return_text_in_logprobs", true}};
  auto native = Post(http, "/generate", api_key, generate, context);
  if (!native) return found;
  auto second = ReadGenerateLogprobs(*native, text);
  return second ? second : found;
}

}  // namespace helix::backend
