// What a server's log says about reuse: llama-server, Ollama, vLLM, SGLang.
#pragma once
#include <string_view>

#include "core/base/json.h"

namespace helix::consistency {

// `log` is the text of the log, any number of lines. The finding names the line it rests on.
Json DiagnoseLog(std::string_view log);
// {"log": [lines]} or {"log": "text"}.
Json DiagnoseLogCase(const Json& input);

}  // namespace helix::consistency
