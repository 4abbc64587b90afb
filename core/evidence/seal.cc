#include "core/evidence/seal.h"

#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"

namespace helix::evidence {

Json SealsOf(const Json& report) {
  Json seals = Json::object();
  if (!report.is_object()) return seals;
  for (auto it = report.begin(); it != report.end(); ++it) {
    if (it.key() == "integrity") continue;
    std::string pointer = "/" + it.key();
    if (!it->is_array() || it->empty()) {
      seals[pointer] = Sha256Hex(CanonicalJson(*it));
      continue;
    }
    for (std::size_t i = 0; i < it->size(); ++i) {
      seals[pointer + "/" + std::to_string(i)] = Sha256Hex(CanonicalJson((*it)[i]));
    }
  }
  return seals;
}

std::optional<std::string> FirstBrokenSeal(const Json& report) {
  const Json* stated = Find(report, "integrity");
  if (stated == nullptr || !stated->is_object()) return "/integrity";
  Json seals = SealsOf(report);
  for (auto it = seals.begin(); it != seals.end(); ++it) {
    const Json* there = Find(*stated, it.key());
    if (there == nullptr || *there != *it) return it.key();
  }
  for (auto it = stated->begin(); it != stated->end(); ++it) {
    if (Find(seals, it.key()) == nullptr) return it.key();
  }
  return std::nullopt;
}

}  // namespace helix::evidence
