// Skip: an experiment that could not be made. It has no numeric field, so a skip can never carry a result.
#pragma once
#include <string>

#include "core/base/json.h"

namespace helix {

struct Skip {
  std::string code;          // one of the seven closed codes, such as "topology_unsupported"
  std::string reason;        // "server_unreachable: nothing answered at http://..."
  std::string would_run_if;  // what would make it run

  // {"verdict":"SKIP","skip_code":...,"skip_reason":...,"would_run_if":...}
  [[nodiscard]] Json ToJson() const;
};

// Builds a Skip from our own reason word (server_unreachable, target_not_llama_server, credentials_absent,
// spend_not_allowed, endpoint_not_allowed, server_binary_missing, model_missing, unsupported_counter,
// cold_not_possible); the closed code follows from the word. `detail` follows the word and a colon.
Skip MakeSkip(const std::string& word, const std::string& detail, const std::string& would_run_if);

}  // namespace helix
