#include "core/consistency/template_server.h"

#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/template_stage.h"
#include "core/net/json_post.h"

namespace helix::consistency {
namespace {

Result<std::vector<std::int32_t>> TokenList(const Json* list, const std::string& whose) {
  if (!list || !list->is_array())
    return Fail(ErrorCode::kProtocol, whose + " gave no tokens", "name a llama-server as the endpoint");
  std::vector<std::int32_t> tokens;
  for (const Json& token : *list) {
    if (!token.is_number_integer())
      return Fail(ErrorCode::kProtocol, whose + " gave a token that is no number");
    tokens.push_back(static_cast<std::int32_t>(token.get<std::int64_t>()));
  }
  return tokens;
}

}  // namespace

TemplateServer::TemplateServer(const std::string& base_url, std::string api_key, const RunContext& context)
    : client_(base_url), api_key_(std::move(api_key)), context_(context) {}

Result<std::string> TemplateServer::Prompt(Json body, bool open_answer) {
  body["add_generation_prompt"] = open_answer;
  auto reply = Post("/apply-template", body);
  if (!reply) return tl::make_unexpected(reply.error());
  auto prompt = StringAt(*reply, "prompt");
  if (!prompt)
    return Fail(ErrorCode::kProtocol, "/apply-template gave no prompt",
                "name a llama-server as the endpoint");
  return *prompt;
}

Result<std::vector<std::int32_t>> TemplateServer::Tokens(const std::string& prompt) {
  auto reply = Post("/tokenize", Json{{"content", prompt}, {"add_special", true}, {"parse_special", true}});
  if (!reply) return tl::make_unexpected(reply.error());
  return TokenList(Find(*reply, "tokens"), "/tokenize");
}

Result<std::vector<std::int32_t>> TemplateServer::PromptTokens(const RequestBody& request,
                                                               std::vector<std::string>& notes) {
  if (request.shape == BodyShape::kRawPrompt) {
    const Json* prompt = request.Get(Part::kMessages);
    if (prompt && prompt->is_string()) return Tokens(prompt->get<std::string>());
    return TokenList(prompt, "the request");
  }
  auto text = Prompt(ToTemplateBody(request, notes), true);
  if (!text) return tl::make_unexpected(text.error());
  return Tokens(*text);
}

Result<Json> TemplateServer::Post(const std::string& path, const Json& body) {
  auto response = client_.Send(net::JsonPost(path, body, api_key_), context_);
  if (!response) return tl::make_unexpected(response.error());
  if (response->status != 200)
    return Fail(ErrorCode::kProtocol, path + " answered " + std::to_string(response->status),
                "name a llama-server as the endpoint");
  return ParseJson(response->body);
}

}  // namespace helix::consistency
