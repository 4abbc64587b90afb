#include "core/tracks/run_equivalence.h"

#include <map>

#include "core/equivalence/classifier.h"
#include "core/equivalence/refusals.h"

namespace helix::tracks {
namespace {

using experiment::Arm;
using experiment::Sample;
using experiment::SampleStatus;

constexpr std::size_t kMinTokens = 16;

using PairCalls = std::map<Arm, const Sample*>;

std::map<int, PairCalls> FinishedPairs(const std::vector<Sample>& samples) {
  std::map<int, PairCalls> pairs;
  for (const Sample& sample : samples) {
    if (!sample.call.warmup && sample.status == SampleStatus::kOk)
      pairs[sample.call.pair][sample.call.arm] = &sample;
  }
  return pairs;
}

equivalence::ArmOutput OutputOf(const Sample& sample) {
  equivalence::ArmOutput output = equivalence::FromReply(sample.reply);
  output.response_sha256 = sample.raw_sha256;
  return output;
}

Json Side(const Sample& sample) {
  const auto& reply = sample.reply;
  return {{"raw_sha256", sample.raw_sha256},
          {"request_id", "seq-" + std::to_string(sample.seq)},
          {"cached_n", reply.cached_tokens.present() ? Json(reply.cached_tokens.value()) : Json(nullptr)},
          {"tokens", reply.tokens}};
}

// The judgement over all pairs so far.
struct Tally {
  equivalence::Class worst = equivalence::Class::kExact;
  Json classes = Json::object();
  Json pairs = Json::array();
  Json controls = Json::array();
  Json refused = Json::array();
  Json first_divergence = nullptr;

  void Add(equivalence::Class cls) {
    worst = classes.empty() ? cls : equivalence::Worse(worst, cls);
    const char* name = equivalence::ClassName(cls);
    classes[name] = classes.value(name, 0) + 1;
  }
};

const FollowUp* FollowUpOf(const std::vector<FollowUp>& follow_ups, int pair) {
  for (const FollowUp& one : follow_ups) {
    if (one.pair == pair) return &one;
  }
  return nullptr;
}

void Compare(const PairCalls& calls, const FollowUp* follow_up, Tally& tally) {
  const Sample& on = *calls.at(Arm::kOn);
  const Sample& off = *calls.at(Arm::kOff);
  equivalence::Comparison comparison;
  comparison.cached = OutputOf(on);
  comparison.fresh = OutputOf(off);
  if (const auto again = calls.find(Arm::kOffAa); again != calls.end()) {
    comparison.fresh_again = OutputOf(*again->second);
  }
  equivalence::RefusalPolicy policy;
  policy.min_tokens = kMinTokens;
  const auto refusals = equivalence::Refusals(comparison, policy);
  const equivalence::Finding finding = equivalence::Classify(comparison);
  const equivalence::Class own = refusals.empty() ? finding.cls : equivalence::Class::kUnknown;
  tally.Add(follow_up != nullptr ? follow_up->finding.cls : own);
  for (const auto& refusal : refusals)
    tally.refused.push_back({{"pair", on.call.pair}, {"code", refusal.code}});
  if (finding.divergence && tally.first_divergence.is_null())
    tally.first_divergence = finding.divergence->index;
  if (!refusals.empty() || !on.reply.has_token_ids || !off.reply.has_token_ids) return;
  tally.pairs.push_back({{"prompt_sha256", on.prompt_sha256}, {"cached", Side(on)}, {"fresh", Side(off)}});
}

// The control has another prefix and the same new turn: an answer that does not notice proves nothing.
void Control(const PairCalls& calls, Tally& tally) {
  const auto control = calls.find(Arm::kControl);
  const auto off = calls.find(Arm::kOff);
  if (control == calls.end() || off == calls.end()) return;
  const auto& a = control->second->reply;
  const auto& b = off->second->reply;
  if (!a.has_token_ids || !b.has_token_ids) return;
  tally.controls.push_back(
      {{"kind", "other_prefix"}, {"pair", control->second->call.pair}, {"detected", a.tokens != b.tokens}});
}

Json ResultOf(const Tally& tally, bool compared) {
  return {{"class", compared ? Json(equivalence::ClassName(tally.worst)) : Json(nullptr)},
          {"classes", tally.classes},
          {"negative_controls", tally.controls},
          {"first_divergence", tally.first_divergence}};
}

}  // namespace

RunEquivalence EquivalenceOf(const std::vector<Sample>& samples, const std::vector<FollowUp>& follow_ups) {
  Tally tally;
  for (const auto& [pair, calls] : FinishedPairs(samples)) {
    if (calls.contains(Arm::kOn) && calls.contains(Arm::kOff))
      Compare(calls, FollowUpOf(follow_ups, pair), tally);
    Control(calls, tally);
  }
  const bool compared = !tally.classes.empty();
  bool exact = compared && tally.worst == equivalence::Class::kExact && tally.refused.empty() &&
               !tally.controls.empty();
  for (const Json& control : tally.controls) exact = exact && control["detected"] == true;
  RunEquivalence out;
  out.result = ResultOf(tally, compared);
  for (const FollowUp& one : follow_ups) out.result["followed_up"].push_back(ToJson(one));
  out.report = {{"claim", exact ? "token_identical" : "none"},
                {"min_tokens", kMinTokens},
                {"n_pairs", tally.pairs.size()},
                {"pairs", tally.pairs}};
  out.report.update(out.result);
  if (tally.controls.empty()) out.report.erase("negative_controls");
  if (!tally.refused.empty()) out.report["refused"] = tally.refused;
  return out;
}

}  // namespace helix::tracks
