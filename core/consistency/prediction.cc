#include "core/consistency/prediction.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helix::consistency {
namespace {

std::int64_t Floor(std::int64_t tokens, std::int64_t block) {
  return tokens <= 0 ? 0 : tokens / block * block;
}

ReusePrediction Exactly(std::int64_t tokens, const ReuseQuestion& question, std::int64_t block) {
  return {tokens, tokens, question.common, block};
}

ReusePrediction FromCheckpoints(const ReuseQuestion& question, std::int64_t most) {
  if (question.checkpoints.empty()) return {0, most, question.common, 1};
  std::int64_t best = 0;
  for (std::int64_t at : question.checkpoints)
    if (at <= most) best = std::max(best, at);
  return Exactly(best, question, 1);
}

}  // namespace

Result<ReuseRule> ReuseRuleFor(const std::string& backend) {
  static const std::array<std::pair<const char*, ReuseRule>, 8> names = {
      {{"llama-server", ReuseRule::kToken},
       {"llama-server-swa", ReuseRule::kCheckpoints},
       {"ollama", ReuseRule::kToken},
       {"vllm", ReuseRule::kBlocks},
       {"vllm-hybrid", ReuseRule::kHybridBlocks},
       {"sglang", ReuseRule::kBlocks},
       {"anthropic", ReuseRule::kMarkers},
       {"openai", ReuseRule::kSteps}}};
  for (const auto& [name, rule] : names)
    if (backend == name) return rule;
  return Fail(ErrorCode::kInvalidArgument, "no reuse rule is known for \"" + backend + "\"",
              "use llama-server, llama-server-swa, ollama, vllm, vllm-hybrid, sglang, anthropic or openai");
}

ReusePrediction PredictReuse(const ReuseQuestion& question) {
  const std::int64_t block = std::max<std::int64_t>(question.block, 1);
  const std::int64_t most = std::max<std::int64_t>(std::min(question.common, question.prompt - 1), 0);
  switch (question.rule) {
    case ReuseRule::kToken:
      return Exactly(most, question, 1);
    case ReuseRule::kCheckpoints:
      return FromCheckpoints(question, most);
    case ReuseRule::kBlocks:
      return Exactly(Floor(most, block), question, block);
    case ReuseRule::kHybridBlocks: {
      const std::int64_t kept = std::max<std::int64_t>(question.earlier_prompt / block - 1, 0) * block;
      return Exactly(std::min(kept, Floor(most, block)), question, block);
    }
    case ReuseRule::kMarkers: {
      const bool enough = question.marked >= question.minimum && question.marked <= question.common;
      return Exactly(enough ? question.marked : 0, question, 1);
    }
    case ReuseRule::kSteps:
      break;
  }
  const std::int64_t step = question.block > 1 ? question.block : 128;
  const std::int64_t high = question.prompt < question.minimum ? 0 : Floor(question.common, step);
  return {0, high < question.minimum ? 0 : high, question.common, step};
}

const char* ReuseVerdictName(ReuseVerdict verdict) {
  switch (verdict) {
    case ReuseVerdict::kMatch:
      return "MATCH";
    case ReuseVerdict::kUnder:
      return "UNDER";
    case ReuseVerdict::kOver:
      return "OVER";
    case ReuseVerdict::kMisaligned:
      return "MISALIGNED";
    case ReuseVerdict::kPhantom:
      return "PHANTOM";
    case ReuseVerdict::kUnknown:
      return "UNKNOWN";
  }
  return "UNKNOWN";
}

ReuseVerdict JudgeReuse(const ReusePrediction& prediction, std::optional<std::int64_t> reported,
                        bool empty_cache) {
  if (!reported) return ReuseVerdict::kUnknown;
  if (empty_cache) return *reported > 0 ? ReuseVerdict::kPhantom : ReuseVerdict::kMatch;
  if (*reported > prediction.possible) return ReuseVerdict::kOver;
  if (prediction.block > 1 && *reported % prediction.block != 0) return ReuseVerdict::kMisaligned;
  if (*reported < prediction.low) return ReuseVerdict::kUnder;
  if (*reported > prediction.high) return ReuseVerdict::kOver;
  return prediction.exact() ? ReuseVerdict::kMatch : ReuseVerdict::kUnknown;
}

std::int64_t CommonTokens(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  const auto shorter = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::mismatch(a.begin(), a.begin() + shorter, b.begin()).first - a.begin();
}

ReusePrediction SlotModel::Predict(const std::vector<std::int32_t>& prompt) const {
  ReuseQuestion question;
  question.rule = rule_;
  question.block = block_;
  question.prompt = static_cast<std::int64_t>(prompt.size());
  question.common = CommonTokens(prompt, resident_);
  question.earlier_prompt = static_cast<std::int64_t>(resident_.size());
  return PredictReuse(question);
}

void SlotModel::Complete(const std::vector<std::int32_t>& prompt,
                         const std::vector<std::int32_t>& generated) {
  resident_ = prompt;
  if (!generated.empty()) resident_.insert(resident_.end(), generated.begin(), generated.end() - 1);
}

}  // namespace helix::consistency
