#include "core/tracks/verify/rederive.h"

#include "core/base/json_fields.h"

namespace helix::tracks {

Steps RederiveFromBytes(const Json& report, const evidence::ObjectStore& objects) {
  const auto schema = StringAt(report, "schema").value_or("");
  if (schema == "helix.report/1") return RederiveAnswers(report, objects);
  if (schema != "helix.equivalence/1") return {};
  return StringAt(report, "mode") == "statistical" ? RederiveRepeats(report, objects)
                                                   : RederiveOracle(report, objects);
}

}  // namespace helix::tracks
