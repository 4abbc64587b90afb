#include "core/tracks/track_a_result.h"

#include "core/base/json_fields.h"

namespace helix::tracks {

using analysis::PairedRatio;
using experiment::Arm;
using experiment::Sample;
using experiment::Verified;

const char kSyntheticWeightsNotice[] =
    "SYNTHETIC WEIGHTS: the model has random weights. The server and its cache are real and so are the "
    "times; the "
    "text is noise, and the ratios of a trained model of another size are other ratios.";

namespace {

Verified ArmLabel(const std::vector<Sample>& samples, Arm arm) {
  std::vector<Verified> labels;
  for (const Sample& sample : samples) {
    const bool counts =
        sample.call.arm == arm && !sample.call.warmup && sample.status == experiment::SampleStatus::kOk;
    if (counts) labels.push_back(sample.verified);
  }
  return experiment::Worst(labels);
}

Json Ratio(const std::optional<PairedRatio>& paired, bool verified) {
  if (!verified || !paired || !paired->ratio.has_interval) return nullptr;
  return paired->ratio.ToJson();
}

template <typename T>
Json OrNullIf(const std::optional<T>& value, bool verified) {
  return verified && value ? Json(*value) : Json(nullptr);
}

std::string ModelName(const backend::Identity& identity) {
  return identity.synthetic_weights ? "synthetic weights (" + identity.model_id + ")" : identity.model_id;
}

Json Findings(const analysis::Analysis& analysis) {
  Json list = Json::array();
  for (const analysis::Finding& finding : analysis.findings) list.push_back(finding.ToJson());
  return list;
}

}  // namespace

Json TrackAResult(const TrackAOutcome& outcome) {
  const analysis::Analysis& judged = *outcome.analysis;
  const analysis::Statistics& s = judged.statistics;
  const Verified off = ArmLabel(*outcome.samples, Arm::kOff);
  const Verified on = ArmLabel(*outcome.samples, Arm::kOn);
  const bool verified = off == Verified::kCold && on == Verified::kWarm;
  Json result = {{"verdict", analysis::VerdictName(judged.verdict)},
                 {"reason", judged.reason},
                 {"synthetic", judged.synthetic},
                 {"model", ModelName(outcome.target->identity)},
                 {"pairs", s.ttft ? s.ttft->pairs : 0},
                 {"prefill_ratio", Ratio(s.prefill, verified)},
                 {"ttft_ratio", Ratio(s.ttft, verified)},
                 {"end_to_end_ratio", Ratio(s.end_to_end, verified)},
                 {"decode_ratio", Ratio(s.decode, verified)},
                 {"skip_bound", OrNullIf(s.skip_bound, verified)},
                 {"skipped_share", OrNullIf(s.skipped_share, verified)},
                 {"noise_floor", OrNullIf(s.noise_floor, verified)},
                 {"minimum_detectable", s.ttft ? OrNull(s.ttft->minimum_detectable) : Json(nullptr)},
                 {"estimators_disagree", s.ttft && s.ttft->estimators_disagree},
                 {"off", s.off.ToJson()},
                 {"on", s.on.ToJson()},
                 {"equivalence", outcome.equivalence},
                 {"findings", Findings(judged)}};
  result["off"]["verified"] = experiment::VerifiedName(off);
  result["on"]["verified"] = experiment::VerifiedName(on);
  result["stopped_because"] = outcome.stopped_because.empty() ? Json(nullptr) : Json(outcome.stopped_because);
  Json notices = Json::array();
  if (outcome.target->identity.synthetic_weights) notices.push_back(kSyntheticWeightsNotice);
  for (const std::string& notice : outcome.target->notices) notices.push_back(notice);
  result["notices"] = std::move(notices);
  result["backend"] = {{"kind", outcome.target->identity.kind},
                       {"build", outcome.target->identity.build},
                       {"managed", !outcome.target->flags.is_null()}};
  result["plan_sha256"] = outcome.plan_sha256;
  result["report_path"] = outcome.report_path;
  result["report_sha256"] = outcome.report_sha256;
  return result;
}

}  // namespace helix::tracks
