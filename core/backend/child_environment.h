// What of our environment a server that we start may see.
#pragma once
#include <string>
#include <vector>

#include "core/base/settings.h"

namespace helix::backend {

// "NAME=value" of an allow-list: locale, folders, library path, and what chooses the compute device. Keys of
// ours never reach the child, and LLAMA_ARG_* variables would change the server's flags behind the report's
// back. `env` empty: the process's own.
std::vector<std::string> ChildEnvironment(const EnvReader& env);

}  // namespace helix::backend
