#include "core/levers/block.h"

#include <array>
#include <optional>

#include "core/levers/gates.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

struct Step {
  const char* name;
  std::optional<std::string> (*run)(std::string_view);
  bool lossless;
  bool on_code;  // may run on what an edit tool will match
};

constexpr std::array<Step, 6> kSteps = {{{"terminal_state", FinalTerminalState, false, true},
                                         {"base64", ElideBase64, false, false},
                                         {"json_minify", MinifyKnownJson, true, false},
                                         {"json_table", TabulateKnownJson, true, false},
                                         {"log_runs", CollapseLogRuns, false, false},
                                         {"blank_runs", CollapseBlankRuns, true, false}}};

void Apply(const Step& step, bool json, const TokenCounter& count, BlockResult& result) {
  const std::string_view name = step.name;
  if (json && name == "log_runs") return;  // its lines are not log lines
  // A block stays JSON until it has become a table, and no step behind that one reads JSON.
  if (!json && name.starts_with("json_")) return;
  auto after = step.run(result.text);
  if (!after) return;
  std::int64_t tokens = count(*after);
  bool kept = tokens < result.tokens_after && (step.lossless || KeepsErrorLines(result.text, *after));
  if (!kept) {
    result.rejected.emplace_back(step.name);
    return;
  }
  result.text = std::move(*after);
  result.tokens_after = tokens;
  result.applied.emplace_back(step.name);
  result.lossless = result.lossless && step.lossless;
}

}  // namespace

BlockResult CompressBlock(std::string_view block, const TokenCounter& count) {
  BlockResult result;
  result.text = std::string(block);
  result.tokens_before = result.tokens_after = count(block);
  if (block.find("<nocompress>") != std::string_view::npos) {
    result.left = "marked <nocompress>";
  } else if (result.tokens_before < kSmallestBlock) {
    result.left = "below " + std::to_string(kSmallestBlock) + " tokens";
  }
  if (!result.left.empty()) return result;
  const bool json = IsJsonContainer(block);
  const bool code = !json && LooksLikeCode(block);
  for (const auto& step : kSteps) {
    if (!code || step.on_code) Apply(step, json, count, result);
  }
  if (result.applied.empty())
    result.left = code ? "code, a diff or a file's content" : "no transform lowers the count";
  return result;
}

}  // namespace helix::levers
