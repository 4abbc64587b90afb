#include "core/tracks/divergence_follow_up.h"

#include <algorithm>
#include <map>

#include "core/base/json_fields.h"
#include "core/equivalence/control_arm.h"
#include "core/equivalence/refusals.h"

namespace helix::tracks {
namespace {

using experiment::Arm;
using experiment::Sample;

constexpr std::size_t kMostPairs = 3;

struct Parted {
  int pair = 0;
  int output_tokens = 0;
};

std::vector<Parted> PartedPairs(const std::vector<Sample>& samples) {
  std::map<int, std::map<Arm, const Sample*>> pairs;
  for (const Sample& sample : samples) {
    const bool counts =
        !sample.call.warmup && sample.status == experiment::SampleStatus::kOk && sample.reply.has_token_ids;
    if (counts) pairs[sample.call.pair][sample.call.arm] = &sample;
  }
  std::vector<Parted> out;
  for (const auto& [pair, calls] : pairs) {
    if (!calls.contains(Arm::kOn) || !calls.contains(Arm::kOff) || out.size() == kMostPairs) continue;
    const auto& on = calls.at(Arm::kOn)->reply.tokens;
    const auto& off = calls.at(Arm::kOff)->reply.tokens;
    if (on != off) out.push_back({pair, static_cast<int>(std::max(on.size(), off.size()))});
  }
  return out;
}

equivalence::ShapeCase ShapeOf(const experiment::PairPrompt& pair, int output_tokens) {
  equivalence::ShapeCase out;
  out.shape = "prefix_extension";
  out.prompt = pair.prompt;
  out.prime = pair.Prefix();
  out.shared = pair.prefix_tokens;
  out.output_tokens = output_tokens;
  return out;
}

equivalence::Finding Judge(const equivalence::ShapeCase& shape, const equivalence::ArmAnswers& answers,
                           std::optional<double> noise) {
  equivalence::Comparison in;
  in.cached = answers.cached.output;
  in.fresh = answers.fresh.output;
  in.fresh_again = answers.fresh_again.output;
  in.control_noise = noise;
  in.map.prompt_tokens = static_cast<std::int64_t>(shape.prompt.size());
  in.map.reused_tokens = in.cached.cached_tokens;
  equivalence::Finding finding = equivalence::Classify(in);
  const auto refused = equivalence::Refusals(in, {});
  if (!refused.empty()) {
    finding.cls = equivalence::Class::kUnknown;
    finding.rule = refused[0].code;
    finding.reason = refused[0].reason;
  } else if (finding.cls == equivalence::Class::kExact) {
    finding.cls = equivalence::Class::kAmbiguous;
    finding.rule = "not_reproduced";
    finding.reason = "the timed answers parted, the same prompt asked again does not: " + finding.reason;
  }
  return finding;
}

Result<FollowUp> Ask(equivalence::ArmRunner& runner, const equivalence::ShapeCase& shape, int pair) {
  auto answers = runner.Run(shape);
  if (!answers) return tl::make_unexpected(std::move(answers.error()));
  auto control = equivalence::PromptControl(runner, 0, shape, *answers);
  if (!control) return tl::make_unexpected(std::move(control.error()));
  FollowUp out;
  out.pair = pair;
  const auto& deltas = control->deltas;
  if (!deltas.empty()) out.control_noise = *std::max_element(deltas.begin(), deltas.end());
  out.finding = Judge(shape, *answers, out.control_noise);
  for (const auto* answer : {&answers->cached, &answers->fresh, &answers->fresh_again}) {
    out.evidence.push_back(answer->request_sha256);
    out.evidence.push_back(answer->output.response_sha256);
  }
  return out;
}

// A user's text: neither tokens nor digests of bytes that are not kept.
void Redact(FollowUp& follow_up) {
  if (follow_up.finding.divergence) follow_up.finding.divergence->details = nullptr;
  follow_up.evidence.clear();
}

}  // namespace

Result<std::vector<FollowUp>> FollowUpDivergences(backend::Backend& backend,
                                                  const experiment::Workload& workload,
                                                  const std::vector<Sample>& samples,
                                                  const equivalence::EvidenceSink& keep,
                                                  const RunContext& context) {
  std::vector<FollowUp> out;
  equivalence::ArmOptions options;
  if (!workload.private_text) options.evidence = keep;
  equivalence::ArmRunner runner(backend, options, context);
  for (const Parted& parted : PartedPairs(samples)) {
    const auto shape = ShapeOf(workload.pairs[static_cast<std::size_t>(parted.pair)], parted.output_tokens);
    auto followed = Ask(runner, shape, parted.pair);
    if (followed) {
      if (workload.private_text) Redact(*followed);
      out.push_back(*std::move(followed));
    } else if (context.Cancelled() || followed.error().code == ErrorCode::kIo) {
      return tl::make_unexpected(std::move(followed.error()));
    } else {
      break;
    }
  }
  return out;
}

Json ToJson(const FollowUp& follow_up) {
  Json out = equivalence::ToJson(follow_up.finding);
  out["pair"] = follow_up.pair;
  out["control_noise"] = OrNull(follow_up.control_noise);
  out["evidence"] = follow_up.evidence;
  return out;
}

}  // namespace helix::tracks
