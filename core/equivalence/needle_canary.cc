#include "core/equivalence/needle_canary.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/random.h"

namespace helix::equivalence {
namespace {

constexpr int kLines = 20;
constexpr int kAsked = 3;
constexpr int kAnswerTokens = 24;

struct Needle {
  std::string key;
  std::string value;
};

std::vector<Needle> MakeNeedles(SplitMix64& random) {
  std::vector<Needle> out;
  for (int i = 0; i < kLines; ++i) {
    out.push_back(
        {fmt::format("KEY-{:05}", random.Below(100000)), fmt::format("{:05}", random.Below(100000))});
  }
  return out;
}

std::string Prefix(const std::vector<Needle>& needles) {
  std::string out = "Read these lines.\n";
  for (const Needle& needle : needles) out += needle.key + " = " + needle.value + "\n";
  return out;
}

struct Question {
  std::vector<TokenId> prefix;
  std::vector<TokenId> prompt;
};

// Prefix and question are tokenised apart, so that the prefix's tokens are a prefix of the prompt's.
Result<Question> MakeQuestion(backend::Backend& backend, const std::string& prefix, const Needle& asked,
                              const RunContext& context) {
  auto head = backend.Tokenize(prefix, true, context);
  if (!head) return tl::make_unexpected(head.error());
  auto tail = backend.Tokenize("The value of the line again:\n" + asked.key + " =", false, context);
  if (!tail) return tl::make_unexpected(tail.error());
  Question out{*head, *std::move(head)};
  out.prompt.insert(out.prompt.end(), tail->begin(), tail->end());
  return out;
}

Status AskNeedle(backend::Backend& backend, ArmRunner& runner, const std::string& prefix,
                 const Needle& needle, CanaryResult& out) {
  auto question = MakeQuestion(backend, prefix, needle, runner.context());
  if (!question) return tl::make_unexpected(question.error());
  HELIX_TRY(runner.Prime(question->prefix));
  for (const bool cached : {true, false}) {
    auto answer = runner.Ask(question->prompt, cached, kAnswerTokens);
    if (!answer) return tl::make_unexpected(answer.error());
    const bool found = answer->output.text.find(needle.value) != std::string::npos;
    (cached ? out.found_cached : out.found_fresh) += found ? 1 : 0;
  }
  ++out.asked;
  return {};
}

void Judge(CanaryResult& out) {
  if (out.found_fresh < out.asked) {
    out.detail = fmt::format("the fresh answers hold {} of {} asked values: the model does not do this task",
                             out.found_fresh, out.asked);
    return;
  }
  out.status = out.found_cached == out.asked ? CanaryStatus::kFound : CanaryStatus::kWrong;
  out.detail = fmt::format("of {} asked values the cached answers hold {}, the fresh ones {}", out.asked,
                           out.found_cached, out.found_fresh);
}

}  // namespace

const char* CanaryStatusName(CanaryStatus status) {
  switch (status) {
    case CanaryStatus::kNotApplicable:
      return "not_applicable";
    case CanaryStatus::kFound:
      return "found";
    case CanaryStatus::kWrong:
      return "wrong";
  }
  return "not_applicable";
}

Result<CanaryResult> RunNeedleCanary(backend::Backend& backend, ArmRunner& runner,
                                     const backend::Identity& identity, std::uint64_t seed) {
  CanaryResult out;
  if (identity.synthetic_weights) {
    out.detail = "the model's weights are synthetic, it cannot read";
    return out;
  }
  SplitMix64 random(seed);
  const std::vector<Needle> needles = MakeNeedles(random);
  const std::string prefix = Prefix(needles);
  for (int i = 0; i < kAsked; ++i) {
    HELIX_TRY(AskNeedle(backend, runner, prefix, needles[static_cast<std::size_t>(3 + 7 * i)], out));
  }
  Judge(out);
  return out;
}

}  // namespace helix::equivalence
