// Is this report still what was recorded? Everything that can be recomputed is, from the stored bytes,
// without a server. What is shown is that the record is whole and consistent; against an author who makes a
// new record only a digest that somebody else keeps helps.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/evidence/object_store.h"

namespace helix::analysis {

struct VerifyStep {
  std::string name;  // "objects"
  bool held = false;
  bool made = true;   // false: nothing to compare with, `seen` says why
  std::string where;  // JSON pointer or object digest
  std::string seen;
  std::string expected;

  static VerifyStep Held(const std::string& name);
  static VerifyStep NotMade(const std::string& name, const std::string& why);
  static VerifyStep Broken(const std::string& name, const std::string& where, const std::string& seen,
                           const std::string& expected);
};

struct VerifyOptions {
  // plan.order as its seed gives it; nullopt when the plan is not of a kind that can be drawn again.
  std::function<std::optional<std::vector<std::string>>(const Json& plan)> order_from_seed;
  // What rooms above this one can compute again from the stored bytes; made last, up to the first that is
  // broken. Of a record of another schema it is all that is computed.
  std::function<std::vector<VerifyStep>(const Json& report, const evidence::ObjectStore& objects)> rederive;
};

struct Verification {
  std::vector<VerifyStep> steps;  // in order; the last is the first that did not hold
  std::string report_sha256;

  [[nodiscard]] bool held() const { return !steps.empty() && steps.back().held; }
  // {verdict, report_sha256, steps, first_failure}; first_failure is null when everything held.
  [[nodiscard]] Json ToJson() const;
};

// `path` is .../runs/<run_id>/report.json of a report folder. Nothing on disk is changed, also not what is
// broken. A record of another schema than helix.report/1 is verified as far as bytes go, parts, log and
// objects, and as far as `rederive` knows it. An Error only when the file cannot be read.
Result<Verification> VerifyReport(const std::string& path, const VerifyOptions& options = {});

}  // namespace helix::analysis
