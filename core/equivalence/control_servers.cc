#include "core/equivalence/control_servers.h"

namespace helix::equivalence {

Result<backend::Backend*> ControlServers::WithUbatch(std::int64_t ubatch, const RunContext& context) {
  if (client_ && ubatch == ubatch_) return client_.get();
  client_.reset();
  server_.reset();
  options_.flags.ubatch = static_cast<int>(ubatch);
  auto server = backend::ManagedLlamaServer::Start(options_, context);
  if (!server) return tl::make_unexpected(std::move(server.error()));
  const auto started = server->startup().ubatch;
  if (started && *started != ubatch) {
    return Fail(ErrorCode::kUnavailable, "the control server computes micro-batches of " +
                                             std::to_string(*started) + " tokens where " +
                                             std::to_string(ubatch) + " were asked for");
  }
  server_.emplace(std::move(*server));
  auto client = std::make_unique<backend::LlamaServer>(
      backend::LlamaServerOptions{server_->base_url(), std::nullopt, server_->boot_id()});
  auto identity = client->Identify(context);
  if (!identity) return tl::make_unexpected(std::move(identity.error()));
  client_ = std::move(client);
  ubatch_ = ubatch;
  return client_.get();
}

}  // namespace helix::equivalence
