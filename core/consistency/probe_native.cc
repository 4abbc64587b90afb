#include "core/consistency/probe_native.h"

#include <memory>

#include "core/backend/capability_probe.h"
#include "core/backend/find_engine.h"
#include "core/backend/llama_server.h"

namespace helix::consistency {
namespace {

constexpr int kIsolationPrompts = 3;

std::optional<std::string> Key(const std::string& api_key) {
  return api_key.empty() ? std::nullopt : std::optional(api_key);
}

std::unique_ptr<backend::Backend> AdapterOf(const std::string& kind, const std::string& base_url,
                                            const std::string& api_key, const std::string& model) {
  if (kind == "llama-server")
    return std::make_unique<backend::LlamaServer>(backend::LlamaServerOptions{base_url, Key(api_key), ""});
  return backend::MakeEngine(kind, {base_url, Key(api_key), model});
}

}  // namespace

NativeProbe ProbeNative(const std::string& kind, const std::string& base_url, const std::string& api_key,
                        const std::string& model, const RunContext& context) {
  NativeProbe probe;
  const auto server = AdapterOf(kind, base_url, api_key, model);
  if (!server || !server->Identify(context)) return probe;
  backend::GenerateRequest request;
  request.text = "one two three four";
  if (auto ids = server->Tokenize(request.text, true, context); ids && !ids->empty()) {
    probe.tokenizer = true;
    request.prompt = std::move(*ids);
    request.text.clear();
  }
  if (auto reply = server->Generate(request, context)) {
    probe.token_ids_in = !request.prompt.empty() &&
                         reply->prompt_tokens.optional() == static_cast<std::int64_t>(request.prompt.size());
    probe.token_ids_out = reply->has_token_ids;
    probe.prefill_time = reply->prefill_ms.present();
  }
  const backend::Capabilities can = server->capabilities();
  probe.metrics = can.metrics;
  if (can.block_size > 1) probe.block_size = can.block_size;
  for (const auto method : can.cold_methods) probe.cold_methods.push_back(backend::ColdMethodName(method));
  return probe;
}

Result<Json> ProbeIsolation(const std::string& kind, const std::string& base_url, const std::string& api_key,
                            const std::string& other_key, const std::string& model, std::uint64_t seed,
                            const RunContext& context) {
  const auto mine = AdapterOf(kind, base_url, api_key, model);
  if (!mine) return Fail(ErrorCode::kUnavailable, "no adapter speaks to a server of kind " + kind);
  if (auto known = mine->Identify(context); !known) return tl::make_unexpected(known.error());
  std::unique_ptr<backend::Backend> other;
  if (!other_key.empty()) {
    other = AdapterOf(kind, base_url, other_key, model);
    if (auto known = other->Identify(context); !known) return tl::make_unexpected(known.error());
  }
  return backend::CheckIsolation(*mine, other.get(), kIsolationPrompts, seed, context);
}

}  // namespace helix::consistency
