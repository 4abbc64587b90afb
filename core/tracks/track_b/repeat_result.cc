#include "core/tracks/track_b/repeat_result.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "core/base/json_fields.h"
#include "core/equivalence/statistical_run.h"

namespace helix::tracks {
namespace {

using Answers = std::vector<RepeatAnswer>;

// Characters, whatever the language: a text without blanks has words of no use. Bytes that are no UTF-8 stand
// for themselves.
equivalence::Outcome CharactersOf(const std::string& text) {
  equivalence::Outcome out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues =
        (byte & 0xC0) == 0x80 && !out.empty() && out.back() >= 0xC0 && out.back() < 0x2000000;
    if (continues) {
      out.back() = out.back() * 64 + (byte & 0x3F);
    } else {
      out.push_back(byte);
    }
  }
  return out;
}

bool Proven(const RepeatAnswer& answer, const RepeatFacts& facts) {
  if (!answer.read) return false;
  if (!answer.cached) return *answer.read <= facts.cold_allow;
  if (*answer.read <= facts.cold_allow) return false;
  return !answer.prompt_tokens || 2 * *answer.read >= *answer.prompt_tokens;
}

// Prompts that have all their answers; the others are left out and counted.
struct Whole {
  std::vector<equivalence::PromptRepeats> prompts;
  int left_out = 0;
};

Whole WholePrompts(const Answers& answers, const RepeatFacts& facts) {
  std::map<int, equivalence::PromptRepeats> by_prompt;
  for (const auto& answer : answers) {
    auto& prompt = by_prompt[answer.prompt];
    if (answer.ok) (answer.cached ? prompt.cached : prompt.uncached).push_back(CharactersOf(answer.text));
  }
  Whole out;
  const auto repeats = static_cast<std::size_t>(facts.options.repeats);
  for (auto& [index, prompt] : by_prompt) {
    if (prompt.cached.size() == repeats && prompt.uncached.size() == repeats)
      out.prompts.push_back(std::move(prompt));
  }
  out.left_out = facts.options.prompts - static_cast<int>(out.prompts.size());
  return out;
}

bool Right(const RepeatAnswer& answer) {
  std::istringstream in(answer.expects);
  for (std::string value; in >> value;)
    if (answer.text.find(value) == std::string::npos) return false;
  return !answer.expects.empty();
}

Json ArmJson(const Answers& answers, bool cached) {
  std::set<std::pair<int, std::string>> texts;
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
  Json failures = Json::object();
  int whole = 0;
  for (const auto& answer : answers) {
    if (answer.cached != cached) continue;
    if (!answer.ok) {
      failures[answer.failure] = failures.value(answer.failure, 0) + 1;
      continue;
    }
    ++whole;
    texts.emplace(answer.prompt, answer.text);
    if (!answer.read) continue;
    least = std::min(least.value_or(*answer.read), *answer.read);
    most = std::max(most.value_or(*answer.read), *answer.read);
  }
  return {{"answers", whole},
          {"failures", failures},
          {"different_texts", texts.size()},
          {"reused_least", OrNull(least)},
          {"reused_most", OrNull(most)}};
}

Json NeedleJson(const Answers& answers, bool synthetic) {
  if (synthetic)
    return {{"status", "not_applicable"}, {"detail", "random weights cannot read: nothing was looked for"}};
  Json out = {{"status", "measured"}};
  for (const bool cached : {false, true}) {
    int right = 0;
    int all = 0;
    for (const auto& answer : answers) {
      if (answer.cached != cached || !answer.ok) continue;
      ++all;
      right += Right(answer) ? 1 : 0;
    }
    out[cached ? "cached" : "uncached"] = {{"answers", all}, {"all_three_values", right}};
  }
  return out;
}

Json Limits(const RepeatFacts& facts) {
  Json out = Json::array();
  out.push_back(
      "The API gives text and no token ids: agreement of characters is compared, and a wrong cache that "
      "leaves them as they are is not seen.");
  if (facts.options.cold == ColdMeans::kSalt)
    out.push_back(
        "Nothing but other first words makes a call cold here, so every answer of either arm had its "
        "own; what they change is in the spread of both arms.");
  out.push_back(
      "A change of model, region or route during the run would look like a difference or hide one; "
      "models_answered holds what the replies name.");
  return out;
}

equivalence::StatisticalResult Proofs(const Answers& answers, const RepeatFacts& facts) {
  equivalence::StatisticalResult out;
  for (const auto& answer : answers) {
    if (!answer.ok) continue;
    ++out.answers;
    out.unproven += Proven(answer, facts) ? 0 : 1;
  }
  return out;
}

}  // namespace

Json RepeatResult(const Answers& answers, const RepeatFacts& facts) {
  Json out = {{"verdict", "INCONCLUSIVE"}, {"class", "UNKNOWN"}, {"mode", "statistical"}};
  Whole whole = WholePrompts(answers, facts);
  equivalence::StatisticalResult statistical = Proofs(answers, facts);
  auto agreement =
      equivalence::TestAgreement(whole.prompts, equivalence::AgreementMeasure::kEdits, facts.options.seed);
  out["difference_detected"] = nullptr;
  if (!agreement) {
    out["reason"] = "no prompt has all its answers in both arms: nothing was compared";
  } else {
    statistical.agreement = *agreement;
    out["statistical"] = ToJson(statistical);
    out["reason"] = StatisticalSentence(statistical);
    if (statistical.unproven == 0) out["difference_detected"] = agreement->p_value < 0.05;
  }
  std::set<std::string> models;
  for (const auto& answer : answers) {
    if (answer.ok && !answer.model.empty()) models.insert(answer.model);
  }
  out["arms"] = {{"uncached", ArmJson(answers, false)}, {"cached", ArmJson(answers, true)}};
  out["needle"] = NeedleJson(answers, facts.synthetic_weights);
  out["models_answered"] = models;
  out["prompts_left_out"] = whole.left_out;
  out["cold_means"] = ColdMeansName(facts.options.cold);
  out["limits"] = Limits(facts);
  return out;
}

}  // namespace helix::tracks
