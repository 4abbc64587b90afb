// How many tokens a server should have reused, by the rule of its engine, against how many it reports.
// Rules: docs/diagnosis.md, section "Prediction".
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace helix::consistency {

enum class ReuseRule {
  kToken,         // llama-server with full attention: any prefix, at least one token is evaluated
  kCheckpoints,   // llama-server with sliding window, hybrid or recurrent layers: a saved state, or nothing
  kBlocks,        // vLLM, SGLang: full blocks (pages) only, the last token is always evaluated
  kHybridBlocks,  // vLLM with Mamba or GDN layers: one block less than the earlier request filled
  kMarkers,       // Anthropic: a breakpoint written before, at least the model's minimum
  kSteps,         // OpenAI: from 1024 in steps of 128, best effort
};
// By the name that a user gives: llama-server, llama-server-swa, vllm, vllm-hybrid, sglang, anthropic,
// openai.
Result<ReuseRule> ReuseRuleFor(const std::string& backend);

// All in tokens.
struct ReuseQuestion {
  ReuseRule rule = ReuseRule::kToken;
  std::int64_t prompt = 0;                // n: the new prompt
  std::int64_t common = 0;                // L: longest common prefix with what is resident
  std::int64_t block = 1;                 // block, page or step
  std::int64_t earlier_prompt = 0;        // kHybridBlocks: the earlier request's length
  std::int64_t marked = 0;                // kMarkers: the longest marked prefix that was written and is alive
  std::int64_t minimum = 1024;            // kMarkers, kSteps
  std::vector<std::int64_t> checkpoints;  // kCheckpoints, where known
};

struct ReusePrediction {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t possible = 0;  // L: reporting more than this contradicts the key
  std::int64_t block = 1;
  [[nodiscard]] bool exact() const { return low == high; }
};
ReusePrediction PredictReuse(const ReuseQuestion& question);

enum class ReuseVerdict {
  kMatch,
  kUnder,       // less than predicted: a miss, an eviction, an expired entry, another route
  kOver,        // more than the common prefix allows: a stale or wrong counter
  kMisaligned,  // no multiple of the block
  kPhantom,     // a hit where nothing can be resident: after a restart, a flush, under another salt
  kUnknown,     // nothing reported, or the prediction is an interval that holds the report
};
const char* ReuseVerdictName(ReuseVerdict verdict);  // "MATCH", ...

// `empty_cache`: nothing can be resident for this request.
ReuseVerdict JudgeReuse(const ReusePrediction& prediction, std::optional<std::int64_t> reported,
                        bool empty_cache);

// What one llama-server slot holds, so that a sequence of requests can be predicted. Not thread-safe.
class SlotModel {
 public:
  explicit SlotModel(ReuseRule rule = ReuseRule::kToken, std::int64_t block = 1)
      : rule_(rule), block_(block) {}

  [[nodiscard]] ReusePrediction Predict(const std::vector<std::int32_t>& prompt) const;
  // After a reply: the slot holds the prompt and all generated tokens but the last, whose state was never
  // computed.
  void Complete(const std::vector<std::int32_t>& prompt, const std::vector<std::int32_t>& generated);
  void Flush() { resident_.clear(); }
  [[nodiscard]] bool empty() const { return resident_.empty(); }

 private:
  ReuseRule rule_;
  std::int64_t block_;
  std::vector<std::int32_t> resident_;
};

// Length of the longest common prefix.
std::int64_t CommonTokens(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b);

}  // namespace helix::consistency
