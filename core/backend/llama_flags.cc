#include "core/backend/llama_flags.h"

#include <algorithm>
#include <cctype>

namespace helix::backend {
namespace {

constexpr int kDefaultBatch = 2048;

bool IsFlagChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
}

}  // namespace

bool HelpHasFlag(std::string_view help, std::string_view flag) {
  for (std::size_t at = help.find(flag); at != std::string_view::npos; at = help.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    const bool starts = at == 0 || !IsFlagChar(help[at - 1]);
    if (starts && (end == help.size() || !IsFlagChar(help[end]))) return true;
  }
  return false;
}

std::vector<std::string> LlamaFlags(const ManagedServerFlags& flags, std::string_view help,
                                    std::vector<std::string>* left_out) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& flag, const std::string& value) {
    if (!HelpHasFlag(help, flag)) return left_out->push_back(flag);
    out.push_back(flag);
    if (!value.empty()) out.push_back(value);
  };
  add("-c", std::to_string(flags.context * flags.slots));
  add("-np", std::to_string(flags.slots));
  add("-t", std::to_string(flags.threads));
  // Before 2025-08 -fa took no value and meant "on"; leaving it out meant "off".
  const bool tristate = help.find("on|off|auto") != std::string_view::npos;
  if (tristate) {
    add("-fa", flags.flash_attention);
  } else if (flags.flash_attention == "on") {
    add("-fa", "");
  }
  if (!flags.cache_type_k.empty()) add("-ctk", flags.cache_type_k);
  if (!flags.cache_type_v.empty()) add("-ctv", flags.cache_type_v);
  add("--cache-ram", std::to_string(flags.prompt_cache_mib));
  add("--cache-reuse", "0");
  add("-sps", "0");
  add("--no-context-shift", "");
  add("--metrics", "");
  // Builds whose level 4 is "trace" log the context's sizes there; older ones at their default level.
  if (flags.log_startup && help.find("4: trace") != std::string_view::npos) add("-lv", "4");
  out.insert(out.end(), flags.extra.begin(), flags.extra.end());
  // Last, so that it wins: only a control that must have this batch shape sets it.
  if (flags.ubatch > 0) add("-ub", std::to_string(flags.ubatch));
  // A micro-batch is cut to the batch.
  if (flags.ubatch > kDefaultBatch) add("-b", std::to_string(flags.ubatch));
  return out;
}

}  // namespace helix::backend
