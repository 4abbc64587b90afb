#include "core/tracks/track_a_report.h"

#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/tracks/fingerprint.h"

namespace helix::tracks {
namespace {

// Checks that need what this set-up does not record: the machine's peak rates (C10a, C10b), the parameter
// count where a server does not tell it (E05a), and token ids where a model's text splits a character over
// tokens (the rows of group E that compare them).
const char* const kMayBeMissing[] = {"C10a", "C10b", "E00", "E01a", "E01b", "E01c", "E02",  "E03", "E04",
                                     "E05a", "E06",  "E07", "E08",  "E09",  "E10a", "E10b", "E11", "E13"};

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json ModelPart(const Target& target) {
  const Json& facts = target.identity.facts;
  const bool synthetic = target.identity.synthetic_weights;
  return {{"id", target.identity.model_id},
          {"weights", synthetic ? "synthetic" : "real"},
          {"weights_sha256", TextOrNull(target.weights_sha256)},
          {"n_params", OrNull(IntAt(facts, "model_meta/n_params"))},
          {"active_bytes", OrNull(IntAt(facts, "model_meta/size"))},
          {"template_sha256", OrNull(StringAt(facts, "template_sha256"))}};
}

Json BackendPart(const Target& target) {
  Json part = {{"kind", target.identity.kind},
               {"build", target.identity.build},
               {"managed", !target.flags.is_null()},
               {"flags", target.flags},
               {"slots", target.identity.slots},
               {"n_ctx", target.identity.context_per_slot},
               {"block_size", target.backend->capabilities().block_size},
               {"cold_allow", 0},
               {"model", ModelPart(target)},
               {"facts", target.identity.facts}};
  if (const auto speculative = BoolAt(target.identity.facts, "speculative"))
    part["speculative"] = *speculative;
  return part;
}

// Who answered, with what: equal for every call of a run unless another process answered in the middle.
std::string EnvironmentId(const Json& backend) {
  return evidence::Sha256Hex(evidence::CanonicalJson(backend)).substr(0, 16);
}

}  // namespace

Json PlanJson(const experiment::Plan& plan) {
  Json json = plan.ToJson();
  json["may_be_missing"] = kMayBeMissing;
  return json;
}

std::string PlanSha256(const Json& plan) {
  return evidence::Sha256Hex(evidence::CanonicalJson(plan));
}

Json TrackAReport(const TrackARecord& record) {
  const Target& target = *record.target;
  Json backend = BackendPart(target);
  const std::string env_id = EnvironmentId(backend);
  Json plan = PlanJson(*record.plan);
  Json report = {{"schema", "helix.report/1"},
                 {"synthetic", target.identity.kind == "stub"},
                 {"plan_sha256", PlanSha256(plan)},
                 {"plan", std::move(plan)},
                 {"t_plan_ns", record.t_plan_ns},
                 {"wall_ns", record.wall_ns},
                 {"harness", {{"name", "helix-perf-cache"}, {"version", HELIX_VERSION}}},
                 {"env", record.env},
                 {"backend", std::move(backend)}};
  Json samples = Json::array();
  for (const experiment::Sample& sample : record.run->samples) samples.push_back(SampleJson(sample, env_id));
  report["samples"] = std::move(samples);
  std::vector<std::string> prefixes;
  for (const Json& prompt : record.plan->prompts)
    if (auto prefix = StringAt(prompt, "prefix_sha256")) prefixes.push_back(std::move(*prefix));
  report["fingerprint"] = FingerprintOf(target, prefixes);
  report["equivalence"] = record.equivalence;
  report["metrics"] = record.metrics;
  const std::size_t runs = record.earlier_reports + 1;
  report["claim"] = {{"runs_executed", runs}, {"runs_reported", runs}};
  if (!target.notices.empty()) report["notice"] = target.notices;
  return report;
}

}  // namespace helix::tracks
