#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/tracks/track_b/repeat_record.h"
#include "core/tracks/verify/rederive.h"

namespace helix::tracks {
namespace {

using analysis::VerifyStep;

VerifyStep Compare(const char* name, const Json& record, const Json& now,
                   std::initializer_list<const char*> fields) {
  for (const char* field : fields) {
    const Json* stated = Find(record, field);
    const Json* derived = Find(now, field);
    if (stated == nullptr && derived == nullptr) continue;
    const std::string seen = stated != nullptr ? evidence::CanonicalJson(*stated) : "nothing";
    const std::string expected = derived != nullptr ? evidence::CanonicalJson(*derived) : "nothing";
    if (seen != expected)
      return VerifyStep::Broken(name, std::string("/") + field, seen.substr(0, 200), expected.substr(0, 200));
  }
  return VerifyStep::Held(name);
}

}  // namespace

Steps RederiveRepeats(const Json& record, const evidence::ObjectStore& objects) {
  const auto stored = ReadRepeats(record, objects);
  if (!stored)
    return {
        VerifyStep::Broken("answers", "/calls", stored.error().message, "calls whose replies can be read")};
  const Json now = RepeatResult(stored->answers, stored->facts);
  return {Compare("answers", record, now, {"arms", "needle", "models_answered", "prompts_left_out"}),
          Compare("statistics", record, now, {"statistical", "difference_detected"}),
          Compare("verdict", record, now, {"class", "verdict", "reason"})};
}

}  // namespace helix::tracks
