// What our own client adds to a TTFT: the client's time to the first token minus the server's prompt_ms, on
// loopback, on the demo model. Goal: median below 2 ms. Prints one line per prompt length; run it on a quiet
// machine.
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "core/analysis/quantile.h"
#include "core/backend/llama_server.h"
#include "core/backend/managed_llama_server.h"
#include "core/backend/server_files.h"

namespace {

using namespace helix;

constexpr int kCalls = 50;

// In milliseconds; stops the program with the reason when a call fails.
std::vector<double> Overheads(backend::LlamaServer& server, int prompt_tokens) {
  std::vector<double> overheads;
  for (int call = 0; call < kCalls; ++call) {
    backend::GenerateRequest request;
    request.prompt.assign(static_cast<std::size_t>(prompt_tokens), 100 + call % 50);
    request.use_cache = false;
    request.stream = true;
    request.output_tokens = 4;
    const auto reply = server.Generate(request, {});
    if (!reply || !reply->ttft_ns.present() || !reply->prefill_ms.present()) {
      fmt::print(stderr, "a call failed: {}\n", reply ? "no times in the reply" : reply.error().Text());
      std::exit(1);
    }
    overheads.push_back(static_cast<double>(reply->ttft_ns.value()) / 1e6 - reply->prefill_ms.value());
  }
  return overheads;
}

}  // namespace

int main() {
  const EnvReader env = ProcessEnvironment();
  const Settings settings = SettingsFromEnvironment(env);
  const auto program = backend::FindLlamaServer(settings, env);
  const auto model = backend::FindModel(settings, env);
  if (!program || !model) {
    fmt::print(stderr, "{}\n", !program ? program.error().reason : model.error().reason);
    return 77;
  }
  backend::ManagedServerOptions options;
  options.program = *program;
  options.model = *model;
  auto managed = backend::ManagedLlamaServer::Start(options, {});
  if (!managed) {
    fmt::print(stderr, "{}\n", managed.error().Text());
    return 1;
  }
  backend::LlamaServer server({managed->base_url(), std::nullopt, ""});
  if (const auto identity = server.Identify({}); !identity) {
    fmt::print(stderr, "{}\n", identity.error().Text());
    return 1;
  }
  bool met = true;
  for (const int tokens : {16, 200, 1000}) {
    const std::vector<double> overheads = Overheads(server, tokens);
    const double median = analysis::Median(overheads).value_or(0);
    met = met && median < 2;
    fmt::print("prompt of {:>4} tokens: TTFT minus prompt_ms, median {:.3f} ms, p95 {:.3f} ms, {} calls\n",
               tokens, median, analysis::QuantileNearestRank(overheads, 950).value_or(0), kCalls);
  }
  fmt::print("goal, every median below 2 ms: {}\n", met ? "met" : "missed");
  return met ? 0 : 1;
}
