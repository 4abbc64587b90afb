#include "core/tracks/fingerprint.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"

namespace helix::tracks {
namespace {

std::string DigestOf(const Json& value) {
  return evidence::Sha256Hex(evidence::CanonicalJson(value));
}

// What a running server shows of its model, whoever started it.
Json ModelPart(const backend::Identity& identity) {
  return {{"id", identity.model_id},
          {"n_params", OrNull(IntAt(identity.facts, "model_meta/n_params"))},
          {"size", OrNull(IntAt(identity.facts, "model_meta/size"))},
          {"ftype", OrNull(StringAt(identity.facts, "model_ftype"))}};
}

// What a running server shows of how it was started. What only some answers hold would make a server differ
// from itself.
Json FlagsPart(const backend::Identity& identity) {
  Json part{{"kind", identity.kind},
            {"build", identity.build},
            {"slots", identity.slots},
            {"n_ctx", identity.context_per_slot}};
  for (const char* name : {"sampler_defaults", "speculative", "page_size", "block_size",
                           "disable_radix_cache", "enable_prefix_caching", "attention_backend"})
    if (const Json* value = Find(identity.facts, name)) part[name] = *value;
  return part;
}

Json TemplatePart(const backend::Identity& identity) {
  return OrNull(StringAt(identity.facts, "template_sha256"));
}

}  // namespace

Json FingerprintOf(const Target& target, const std::vector<std::string>& prefix_sha256) {
  std::vector<std::string> sorted = prefix_sha256;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  Json parts{{"model", DigestOf(ModelPart(target.identity))},
             {"template", TemplatePart(target.identity)},
             {"flags", DigestOf(FlagsPart(target.identity))},
             {"prefix", sorted.empty() ? Json(nullptr) : Json(DigestOf(Json(sorted)))}};
  // Of a server of ours the whole command line and the weights' bytes count too.
  const Json whole{
      {"parts", parts},
      {"argv", target.flags},
      {"weights_sha256", target.weights_sha256.empty() ? Json(nullptr) : Json(target.weights_sha256)}};
  parts["sha256"] = DigestOf(whole);
  return parts;
}

Json CompareFingerprint(const Json& report, const Target& running) {
  const Json* then = Find(report, "fingerprint");
  if (then == nullptr || !then->is_object())
    return {
        {"state", "not_checkable"}, {"differs", Json::array()}, {"reason", "the report has no fingerprint"}};
  const Json now = FingerprintOf(running, {});
  Json differs = Json::array();
  for (const char* part : {"model", "template", "flags"}) {
    const auto a = StringAt(*then, part);
    const auto b = StringAt(now, part);
    if (a != b) differs.push_back(part);
  }
  const bool stale = !differs.empty();
  return {{"state", stale ? "stale" : "current"},
          {"differs", differs},
          {"reason", stale ? "the server that runs now is not the one that was measured: measure again"
                           : "model, template and flags are those that were measured"}};
}

}  // namespace helix::tracks
