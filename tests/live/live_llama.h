// A managed llama-server on the demo model for live tests, with a client that has identified it.
#pragma once
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/backend/llama_http.h"
#include "core/backend/llama_server.h"
#include "core/backend/managed_llama_server.h"
#include "core/backend/server_files.h"
#include "core/equivalence/arm_runner.h"

namespace helix::live {

// A missing server fails here: a live test that skips itself proves nothing.
inline backend::ManagedServerOptions DemoOptions(backend::ManagedServerFlags flags) {
  const EnvReader env = ProcessEnvironment();
  backend::ManagedServerOptions options;
  auto program = backend::FindLlamaServer(SettingsFromEnvironment(env), env);
  EXPECT_TRUE(program) << program.error().reason;
  auto model = backend::FindModel({}, env);
  EXPECT_TRUE(model) << model.error().reason;
  options.program = program.value_or("");
  options.model = model.value_or("");
  options.flags = std::move(flags);
  options.flags.log_startup = true;
  return options;
}

inline backend::ManagedServerFlags Flash(const char* mode) {
  backend::ManagedServerFlags flags;
  flags.flash_attention = mode;
  return flags;
}

struct LiveLlama {
  explicit LiveLlama(backend::ManagedServerFlags flags) : options(DemoOptions(std::move(flags))) {
    auto started = backend::ManagedLlamaServer::Start(options, context);
    EXPECT_TRUE(started) << started.error().Text();
    server.emplace(std::move(*started));
    client.emplace(backend::LlamaServerOptions{server->base_url(), std::nullopt, server->boot_id()});
    auto found = client->Identify(context);
    EXPECT_TRUE(found) << found.error().Text();
    identity = *found;
    identity.synthetic_weights = server->synthetic_weights();
    runner.emplace(*client, equivalence::ArmOptions{}, context);
  }

  // {"failed": why} when the server does not do it.
  Json Slot(const std::string& action, const std::string& file) {
    backend::LlamaHttp http(server->base_url(), std::nullopt);
    auto reply = http.PostJson("/slots/0?action=" + action, {{"filename", file}}, context);
    return reply ? *reply : Json{{"failed", reply.error().message}};
  }
  std::string SlotFile(const std::string& name) const { return server->slot_dir() + "/" + name; }

  // `length` tokens of random words.
  std::vector<backend::TokenId> Prompt(std::uint64_t seed, std::int64_t length) {
    return equivalence::PromptSource::Make(*client, seed, length + 100, context).value().Prompt(length);
  }

  RunContext context;
  backend::ManagedServerOptions options;
  std::optional<backend::ManagedLlamaServer> server;
  std::optional<backend::LlamaServer> client;
  backend::Identity identity;
  std::optional<equivalence::ArmRunner> runner;
};

}  // namespace helix::live
