#include "core/levers/concise.h"

#include <algorithm>

namespace helix::levers {
namespace {

Json ArmOf(const std::vector<Answer>& answers) {
  std::int64_t tokens = 0;
  for (const auto& answer : answers) tokens += answer.output_tokens;
  auto cut = std::count_if(answers.begin(), answers.end(),
                           [](const Answer& a) { return a.finish == "length" || a.finish == "max_tokens"; });
  auto correct = std::count_if(answers.begin(), answers.end(), [](const Answer& a) { return a.correct; });
  return {{"answers", answers.size()}, {"output_tokens", tokens}, {"cut", cut}, {"correct", correct}};
}

}  // namespace

const std::vector<ConciseProfile>& ConciseProfiles() {
  static const std::vector<ConciseProfile> profiles = {
      {"concise", "Answer concisely. Leave out introductions, summaries and repetition.",
       "Renze, Guven, \"The Benefits of a Concise Chain of Thought\", 2024"},
      {"draft",
       "Think step by step, but keep a minimum draft for each step, with 5 words at most. Give the final "
       "answer "
       "after ####.",
       "Xu et al., \"Chain of Draft\", arXiv:2502.18600"},
      {"code_only", "When code is asked for, give the code and nothing else.", "this project"},
  };
  return profiles;
}

const ConciseProfile* FindConciseProfile(std::string_view name) {
  for (const auto& profile : ConciseProfiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

std::optional<Json> CompareAnswers(const std::vector<Answer>& plain, const std::vector<Answer>& concise) {
  if (plain.empty() || plain.size() != concise.size()) return std::nullopt;
  Json a = ArmOf(plain);
  Json b = ArmOf(concise);
  const bool judged = a["correct"] > 0;  // a model that solves nothing shows nothing about lost answers
  const bool counts = judged && b["correct"] >= a["correct"] && b["cut"] <= a["cut"];
  std::int64_t before = a["output_tokens"];
  std::int64_t after = b["output_tokens"];
  Json share = counts && before > 0 ? Json(1 - double(after) / double(before)) : Json();
  const char* why = counts    ? "as many right answers, and no more of them cut"
                    : !judged ? "the hold-out arm has no right answer to lose"
                              : "answers were lost or cut";
  return Json{{"hold_out", a},
              {"concise", b},
              {"saving_counts", counts},
              {"why", why},
              {"output_share_saved", share}};
}

}  // namespace helix::levers
