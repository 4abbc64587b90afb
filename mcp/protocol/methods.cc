#include "mcp/protocol/methods.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "mcp/protocol/paging.h"

namespace helix::mcp {
namespace {

tl::unexpected<RpcError> BadParams(std::string message, Json data = nullptr) {
  return tl::make_unexpected(RpcError{kInvalidParams, std::move(message), std::move(data)});
}

RpcResult<Json> Paged(const std::string& member, const std::vector<Json>& items, const Json& params) {
  auto page = Page(member, items, params);
  if (!page) return BadParams(page.error().Text());
  return std::move(*page);
}

template <typename T>
std::vector<Json> Listings(const std::vector<T>& offered) {
  std::vector<Json> listings;
  listings.reserve(offered.size());
  for (const auto& item : offered) listings.push_back(item.listing);
  return listings;
}

constexpr std::size_t kMaxCompletions = 100;

Json Completion(const std::vector<std::string>& values) {
  Json shown = Json::array();
  for (std::size_t i = 0; i < std::min(values.size(), kMaxCompletions); ++i) shown.push_back(values[i]);
  return Json{{"completion",
               {{"values", std::move(shown)},
                {"total", values.size()},
                {"hasMore", values.size() > kMaxCompletions}}}};
}

}  // namespace

RpcResult<Json> ListTools(const Catalog& catalog, const Json& params) {
  return Paged("tools", Listings(catalog.Tools()), params);
}

RpcResult<Json> ListPrompts(const Catalog& catalog, const Json& params) {
  return Paged("prompts", Listings(catalog.prompts), params);
}

RpcResult<Json> ListResources(const Catalog& catalog, const Json& params) {
  return Paged("resources", catalog.resources ? catalog.resources->List() : std::vector<Json>{}, params);
}

RpcResult<Json> ListResourceTemplates(const Catalog& catalog, const Json& params) {
  return Paged("resourceTemplates", catalog.resources ? catalog.resources->Templates() : std::vector<Json>{},
               params);
}

RpcResult<Json> ReadResource(const Catalog& catalog, const Json& params, Era era) {
  const auto uri = StringAt(params, "uri");
  if (!uri) return BadParams("resources/read needs the uri of a resource");
  if (catalog.resources) {
    auto contents = catalog.resources->Read(*uri);
    if (contents) return Json{{"contents", std::move(*contents)}};
    if (contents.error().code != ErrorCode::kNotFound) {
      return tl::make_unexpected(RpcError{kInternalError, contents.error().Text(), nullptr});
    }
  }
  const int code = era == Era::kModern ? kInvalidParams : kResourceNotFound;
  return tl::make_unexpected(RpcError{code, "there is no resource " + *uri, Json{{"uri", *uri}}});
}

RpcResult<Json> GetPrompt(const Catalog& catalog, const Json& params, Call& call) {
  const auto name = StringAt(params, "name").value_or("");
  const auto* prompt = catalog.FindPrompt(name);
  if (prompt == nullptr) return BadParams("there is no prompt " + name);
  const Json* arguments = Find(params, "arguments");
  if (arguments != nullptr && arguments->is_object()) call.arguments = *arguments;
  if (const Json* declared = Find(prompt->listing, "arguments")) {
    for (const Json& argument : *declared) {
      const auto key = StringAt(argument, "name").value_or("");
      if (BoolAt(argument, "required").value_or(false) && !StringAt(call.arguments, key)) {
        return BadParams("prompt " + name + " needs the argument " + key + ", a string");
      }
    }
  }
  return prompt->get(call);
}

RpcResult<Json> CompleteArgument(const Catalog& catalog, const Json& params) {
  const auto type = StringAt(params, "ref/type").value_or("");
  const auto argument = StringAt(params, "argument/name");
  const auto prefix = StringAt(params, "argument/value");
  if (!argument || !prefix) return BadParams("completion/complete needs argument.name and argument.value");
  if (type == "ref/prompt") {
    const auto name = StringAt(params, "ref/name").value_or("");
    const auto* prompt = catalog.FindPrompt(name);
    if (prompt == nullptr) return BadParams("there is no prompt " + name);
    return Completion(prompt->complete ? prompt->complete(*argument, *prefix) : std::vector<std::string>{});
  }
  if (type == "ref/resource") {
    const auto uri = StringAt(params, "ref/uri").value_or("");
    return Completion(catalog.resources ? catalog.resources->Complete(uri, *argument, *prefix)
                                        : std::vector<std::string>{});
  }
  return BadParams("ref.type must be ref/prompt or ref/resource");
}

}  // namespace helix::mcp
