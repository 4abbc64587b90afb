#include "core/backend/llama_identity.h"

#include "core/backend/llama_reply.h"
#include "core/backend/synthetic_weights.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"

namespace helix::backend {
namespace {

std::string HeaderOr(const net::HttpResponse& response, const std::string& name,
                     const std::string& fallback) {
  const auto found = response.headers.find(name);
  return found == response.headers.end() ? fallback : found->second;
}

std::string Describe(const std::string& path, const net::HttpResponse& response) {
  return path + " answered " + std::to_string(response.status) + " (" +
         Printable(HeaderOr(response, "content-type", "no content type"), 40) + ", server " +
         Printable(HeaderOr(response, "server", "unnamed"), 40) +
         "): " + (response.body.empty() ? "no body" : Printable(response.body, 80));
}

// Everything that answered, so that the reader recognises the program.
Error NotLlama(LlamaHttp& http, const std::string& why, const RunContext& context) {
  std::string seen = why;
  for (const char* path : {"/health", "/v1/models"}) {
    if (const auto response = http.Get(path, context)) seen += "; " + Describe(path, *response);
  }
  return {ErrorCode::kProtocol, seen, "point --endpoint at a llama-server, or use --managed to start one"};
}

std::string BaseName(const std::string& path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool LooksLikeProps(const Json& props) {
  const Json* settings = Find(props, "default_generation_settings");
  return settings != nullptr && settings->is_object() && IntAt(props, "total_slots").value_or(0) >= 1 &&
         IntAt(*settings, "n_ctx").value_or(0) >= 1;
}

Result<Json> ReadProps(LlamaHttp& http, const RunContext& context) {
  auto response = http.Get("/props", context);
  if (!response) {
    if (response.error().code != ErrorCode::kUnavailable)
      return tl::make_unexpected(std::move(response.error()));
    return Fail(ErrorCode::kUnavailable, "nothing answered at " + http.client().base_url(),
                "start llama-server there, name another --endpoint, or use --managed");
  }
  auto props = ParseJson(response->body);
  if (props && response->status != 200) {
    auto error = LlamaError(*props, response->status);
    if (error && (error->code == ErrorCode::kUnavailable || error->code == ErrorCode::kRefused)) {
      return tl::make_unexpected(std::move(*error));
    }
  }
  if (response->status == 200 && props && LooksLikeProps(*props)) return props;
  const bool router = props && Find(*props, "role") != nullptr;
  return tl::make_unexpected(
      NotLlama(http,
               (router ? "a llama-server router answered, name the server of one model instead: " : "") +
                   Describe("/props", *response),
               context));
}

Status ProveTokenizer(LlamaHttp& http, const RunContext& context) {
  auto reply = http.PostJson("/tokenize", {{"content", "a b"}, {"add_special", false}}, context);
  if (!reply) {
    if (reply.error().code != ErrorCode::kProtocol) return tl::make_unexpected(std::move(reply.error()));
    return tl::make_unexpected(NotLlama(http, "/tokenize: " + reply.error().message, context));
  }
  const Json* tokens = Find(*reply, "tokens");
  if (tokens == nullptr || !tokens->is_array() || tokens->empty() || !tokens->front().is_number_integer()) {
    return tl::make_unexpected(
        NotLlama(http, "/tokenize gave no token ids: " + Printable(DumpJson(*reply), 80), context));
  }
  return {};
}

// Everything in /props that a reader of the report needs to repeat the run. `media_marker` is random per
// process: it identifies the boot and must not enter the facts.
Json FactsOf(const Json& props) {
  Json facts = Json::object();
  facts["build_info"] = OrNull(StringAt(props, "build_info"));
  facts["total_slots"] = OrNull(IntAt(props, "total_slots"));
  facts["n_ctx_per_slot"] = OrNull(IntAt(props, "default_generation_settings/n_ctx"));
  facts["model_file"] = BaseName(StringAt(props, "model_path").value_or(""));
  facts["model_alias"] = OrNull(StringAt(props, "model_alias"));
  facts["model_ftype"] = OrNull(StringAt(props, "model_ftype"));
  const auto chat_template = StringAt(props, "chat_template");
  facts["template_sha256"] = chat_template ? Json(evidence::Sha256Hex(*chat_template)) : Json(nullptr);
  const Json* sampler = FindPath(props, "default_generation_settings/params");
  facts["sampler_defaults"] = sampler != nullptr ? *sampler : Json(nullptr);
  return facts;
}

void ReadModels(LlamaHttp& http, const RunContext& context, Identity& identity) {
  const auto models = http.GetJson("/v1/models", context);
  if (!models) return;
  const Json* list = Find(*models, "data");
  if (list == nullptr || !list->is_array() || list->empty()) return;
  const Json& first = list->front();
  if (const auto id = StringAt(first, "id")) identity.model_id = BaseName(*id);
  if (const Json* meta = Find(first, "meta"); meta != nullptr && meta->is_object())
    identity.facts["model_meta"] = *meta;
}

bool Speculates(const Json& slots) {
  for (const Json& slot : slots) {
    if (BoolAt(slot, "speculative").value_or(false)) return true;
  }
  return false;
}

}  // namespace

Result<LlamaIdentity> IdentifyLlama(LlamaHttp& http, const RunContext& context) {
  auto props = ReadProps(http, context);
  if (!props) return tl::make_unexpected(std::move(props.error()));
  HELIX_TRY(ProveTokenizer(http, context));
  LlamaIdentity found;
  Identity& identity = found.identity;
  identity.kind = "llama-server";
  identity.endpoint = http.client().base_url();
  identity.build = StringAt(*props, "build_info").value_or("");
  identity.slots = static_cast<int>(IntAt(*props, "total_slots").value_or(1));
  identity.context_per_slot = IntAt(*props, "default_generation_settings/n_ctx").value_or(0);
  identity.facts = FactsOf(*props);
  identity.model_id = identity.facts.value("model_file", "");
  ReadModels(http, context, identity);
  identity.synthetic_weights = HasSyntheticWeightsMark(identity);
  if (const auto marker = StringAt(*props, "media_marker")) {
    found.boot_id = evidence::Sha256Hex(*marker).substr(0, 16);
  }
  if (const auto slots = http.GetJson("/slots", context); slots && slots->is_array()) {
    found.has_slots = true;
    identity.facts["speculative"] = Speculates(*slots);
  }
  if (const auto metrics = http.Get("/metrics", context)) found.has_metrics = metrics->status == 200;
  identity.facts["slots_endpoint"] = found.has_slots;
  identity.facts["metrics_endpoint"] = found.has_metrics;
  return found;
}

}  // namespace helix::backend
