#include "core/backend/engine_recipe.h"

namespace helix::backend {
namespace {

void Append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

EngineRecipe VllmRecipe(const EngineLaunch& launch) {
  EngineRecipe recipe;
  recipe.kind = "vllm";
  recipe.argv = {launch.program,
                 "serve",
                 launch.model,
                 "--host",
                 "127.0.0.1",
                 "--port",
                 std::to_string(launch.port),
                 "--seed",
                 "0",
                 "--generation-config",
                 "vllm",
                 "--max-num-seqs",
                 "1",
                 "--max-model-len",
                 std::to_string(launch.context),
                 "--enable-prompt-tokens-details",
                 "--enable-per-request-metrics",
                 launch.prefix_cache ? "--enable-prefix-caching" : "--no-enable-prefix-caching"};
  // The reset endpoint exists in this mode alone; it has no key of its own, hence loopback only.
  recipe.env = {"VLLM_SERVER_DEV_MODE=1", "VLLM_NO_USAGE_STATS=1", "HF_HUB_OFFLINE=1"};
  if (launch.exact) recipe.env.emplace_back("VLLM_BATCH_INVARIANT=1");
  recipe.ready_path = "/health";
  return recipe;
}

EngineRecipe SglangRecipe(const EngineLaunch& launch) {
  EngineRecipe recipe;
  recipe.kind = "sglang";
  recipe.argv = {launch.program,
                 "-m",
                 "sglang.launch_server",
                 "--model-path",
                 launch.model,
                 "--host",
                 "127.0.0.1",
                 "--port",
                 std::to_string(launch.port),
                 "--random-seed",
                 "0",
                 "--context-length",
                 std::to_string(launch.context),
                 "--enable-metrics",
                 "--enable-cache-report",
                 "--max-running-requests",
                 "1"};
  if (launch.exact)
    Append(recipe.argv, {"--enable-deterministic-inference", "--attention-backend", "triton"});
  if (!launch.prefix_cache) recipe.argv.emplace_back("--disable-radix-cache");
  // With the default, asking /health runs a generation.
  recipe.env = {"SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION=false", "HF_HUB_OFFLINE=1"};
  recipe.ready_path = "/model_info";
  return recipe;
}

bool Clean(const std::string& word) {
  return word.find_first_of(std::string("\0\n\r", 3)) == std::string::npos;
}

}  // namespace

Result<EngineRecipe> MakeEngineRecipe(const std::string& kind, const EngineLaunch& launch) {
  if (launch.program.empty() || launch.model.empty())
    return Fail(ErrorCode::kInvalidArgument, "expected a program and a model to start a server with",
                "name both in your configuration");
  if (launch.program.front() != '/')
    return Fail(ErrorCode::kInvalidArgument, "expected the program's full path, got " + launch.program);
  if (launch.model.front() == '-')
    return Fail(ErrorCode::kInvalidArgument, "expected a model, got the flag " + launch.model);
  EngineRecipe recipe;
  if (kind == "vllm") {
    recipe = VllmRecipe(launch);
  } else if (kind == "sglang") {
    recipe = SglangRecipe(launch);
  } else {
    return Fail(ErrorCode::kInvalidArgument, "no launch recipe for \"" + kind + "\"", "use vllm or sglang");
  }
  Append(recipe.argv, launch.extra);
  for (const std::string& word : recipe.argv)
    if (!Clean(word)) return Fail(ErrorCode::kInvalidArgument, "an argument holds a line break or a NUL");
  return recipe;
}

}  // namespace helix::backend
