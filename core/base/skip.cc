#include "core/base/skip.h"

#include <map>

namespace helix {

Json Skip::ToJson() const {
  Json out = Json::object();
  out["verdict"] = "SKIP";
  out["skip_code"] = code;
  out["skip_reason"] = reason;
  out["would_run_if"] = would_run_if;
  return out;
}

Skip MakeSkip(const std::string& word, const std::string& detail, const std::string& would_run_if) {
  static const std::map<std::string, std::string> kCodes = {
      {"server_unreachable", "topology_unsupported"},
      {"target_not_llama_server", "topology_unsupported"},
      {"credentials_absent", "feature_disabled_by_config"},
      {"spend_not_allowed", "operator_attended"},
      {"endpoint_not_allowed", "feature_disabled_by_config"},
      {"server_binary_missing", "artifact_not_yet_built"},
      {"model_missing", "artifact_not_yet_built"},
      {"unsupported_counter", "topology_unsupported"},
      {"cold_not_possible", "topology_unsupported"},
  };
  auto it = kCodes.find(word);
  return {it == kCodes.end() ? "topology_unsupported" : it->second, word + ": " + detail, would_run_if};
}

}  // namespace helix
