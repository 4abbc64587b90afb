// How a vLLM or SGLang server of our own is started: argument vectors, never a shell line.
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"

namespace helix::backend {

struct EngineRecipe {
  std::string kind;                // "vllm" or "sglang"
  std::vector<std::string> argv;   // argv[0] is the program
  std::vector<std::string> env;    // "NAME=value", beside what child_environment lets through
  std::string ready_path;          // GET answers 200 once the server is ready
  double ready_timeout_s = 900;    // a large model needs minutes
  double after_first_term_s = 15;  // a draining server needs longer than a llama-server
};

struct EngineLaunch {
  std::string program;  // vllm, or the python that has sglang; from the user's configuration
  std::string model;    // path or name, as the server takes it
  int port = 0;
  int context = 8192;              // tokens
  bool prefix_cache = true;        // false: a server that never caches
  bool exact = false;              // the engine's batch-invariant (deterministic) mode
  std::vector<std::string> extra;  // from the user's configuration only; last, so that they win
};

// One request at a time on loopback, with reuse, timings and metrics reported. kInvalidArgument for another
// kind, no program, no model, or a word that holds a NUL or a line break.
Result<EngineRecipe> MakeEngineRecipe(const std::string& kind, const EngineLaunch& launch);

}  // namespace helix::backend
