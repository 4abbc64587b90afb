#include "core/equivalence/oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/equivalence/logprob_distance.h"
#include "core/equivalence/oracle_verdict.h"

namespace helix::equivalence {
namespace {

constexpr std::int64_t kControlPrefix = 64;
constexpr int kControlTokens = 32;

class Run {
 public:
  Run(backend::Backend& backend, const backend::Identity& identity, const OracleOptions& options,
      PromptSource source, const RunContext& context)
      : backend_(backend),
        identity_(identity),
        options_(options),
        source_(std::move(source)),
        context_(context),
        runner_(backend, {5, options.slot, options.evidence}, context) {}

  Result<OracleResult> Go() {
    PlannedShapes planned = BuildShapes(source_, options_.shapes);
    left_out_ = planned.left_out;
    steps_ = static_cast<double>(planned.cases.size()) + options_.conversation.turns + 3;
    for (ShapeCase& shape : planned.cases) HELIX_TRY(Single(std::move(shape)));
    HELIX_TRY(Turns());
    HELIX_TRY(Controls());
    HELIX_TRY(Statistical());
    Decide(result_, options_, left_out_);
    return std::move(result_);
  }

 private:
  void Step(const std::string& message) { context_.Report(done_++, steps_, message); }

  Status Single(ShapeCase shape) {
    Step(fmt::format("{} of {} tokens", shape.shape, shape.prompt.size()));
    auto answers = runner_.Run(shape);
    if (!answers) return tl::make_unexpected(answers.error());
    return Add(std::move(shape), *std::move(answers));
  }

  Status Add(ShapeCase shape, ArmAnswers answers) {
    auto control = Control(shape, answers);
    if (!control) return tl::make_unexpected(control.error());
    CaseResult out;
    out.shape = std::move(shape);
    out.answers = std::move(answers);
    out.control = *std::move(control);
    result_.cases.push_back(std::move(out));
    return {};
  }

  // A second server that does not start is no reason to go without a control.
  Result<ControlReading> Control(const ShapeCase& shape, const ArmAnswers& answers) {
    if (answers.fresh.output.logprobs.empty()) return ControlReading{};
    if (options_.control_server && second_server_works_) {
      auto reading = SecondServerControl(runner_, options_.control_server, shape, answers);
      if (reading || context_.Cancelled()) return reading;
      second_server_works_ = false;
      result_.limits.push_back("the second server for the control arm failed (" + reading.error().message +
                               "): the control was asked of the same server from there on");
    }
    return PromptControl(runner_, options_.server_ubatch, shape, answers);
  }

  Status Turns() {
    if (options_.conversation.turns < 2) return {};
    Step("a conversation");
    auto conversation = RunConversation(runner_, source_, options_.conversation);
    if (!conversation) return tl::make_unexpected(conversation.error());
    result_.turns = options_.conversation.turns;
    result_.free_running_divergence = conversation->free_running_divergence;
    for (std::size_t i = 1; i < conversation->turns.size(); ++i) {
      Step(fmt::format("turn {}", i + 1));
      Turn& turn = conversation->turns[i];
      HELIX_TRY(Add(std::move(turn.shape), std::move(turn.answers)));
    }
    return {};
  }

  Status Controls() {
    Step("negative controls");
    auto pairs = RunNegativeControls(runner_, source_, kControlPrefix, kControlTokens);
    if (!pairs) return tl::make_unexpected(pairs.error());
    MeasureNoise(result_);
    for (const ControlPair& pair : *pairs) result_.negative_controls.push_back(Judge(pair, result_.noise));
    auto canary = RunNeedleCanary(backend_, runner_, identity_, options_.seed);
    if (!canary) return tl::make_unexpected(canary.error());
    result_.canary = *std::move(canary);
    return {};
  }

  // Where one prompt has several answers, or answers are texts that different tokens can produce, whether the
  // arms agree is a question of frequencies.
  Status Statistical() {
    const std::string why = NotComparable();
    if (why.empty()) return {};
    const int prompts = options_.statistical.prompts;
    steps_ += prompts;
    auto agreement = RunStatistical(runner_, source_, options_.statistical, options_.seed, [&](int prompt) {
      Step(fmt::format("repeats, because {}: prompt {} of {}", why, prompt, prompts));
    });
    if (!agreement) return tl::make_unexpected(agreement.error());
    result_.statistical = *std::move(agreement);
    return {};
  }

  // Empty: single answers can be compared.
  [[nodiscard]] std::string NotComparable() const {
    for (const CaseResult& one : result_.cases) {
      const ArmOutput& fresh = one.answers.fresh.output;
      const ArmOutput& again = one.answers.fresh_again.output;
      if (!one.answers.cached.output.has_token_ids || !fresh.has_token_ids) return "there are no token ids";
      if (FirstMismatch(fresh.tokens, again.tokens)) return "fresh differs from fresh";
    }
    return {};
  }

  backend::Backend& backend_;
  const backend::Identity& identity_;
  const OracleOptions& options_;
  PromptSource source_;
  const RunContext& context_;
  ArmRunner runner_;
  OracleResult result_;
  std::vector<std::int64_t> left_out_;
  bool second_server_works_ = true;
  double done_ = 0;
  double steps_ = 1;
};

}  // namespace

OracleOptions StandardOptions() {
  return {};
}

OracleOptions QuickOptions() {
  OracleOptions out;
  out.profile = "quick";
  out.shapes.prompts = 3;
  out.shapes.output_tokens = 32;
  out.shapes.length = 160;
  out.shapes.boundaries = {64};
  out.shapes.boundary_extensions = false;
  out.statistical = {8, 3, 16, 64};
  out.conversation.turns = 2;
  out.conversation.output_tokens = 32;
  return out;
}

Result<OracleResult> RunOracle(backend::Backend& backend, const backend::Identity& identity,
                               const OracleOptions& options, const RunContext& context) {
  const std::int64_t tokens = TokensNeeded(options.shapes) + TokensNeeded(options.conversation) +
                              TokensNeeded(options.statistical) + NegativeControlTokens(kControlPrefix);
  auto source = PromptSource::Make(backend, options.seed, tokens, context);
  if (!source) return tl::make_unexpected(source.error());
  return Run(backend, identity, options, *std::move(source), context).Go();
}

}  // namespace helix::equivalence
