// What a check says about a report.
#pragma once
#include <string>

#include "core/base/json.h"

namespace helix::analysis {

enum class Severity {
  kWarn,          // the reader must know; the verdict stands
  kInconclusive,  // the verdict cannot be PASS
  kFail,          // the report contradicts itself, physics or its own evidence
};
// "warn", "inconclusive", "fail".
const char* SeverityName(Severity severity);

struct Finding {
  std::string code;  // stable name, such as "cold_arm_warm"
  Severity severity = Severity::kFail;
  std::string where;  // JSON pointer into the report
  std::string seen;
  std::string expected;
  std::string to_do;

  [[nodiscard]] Json ToJson() const;
};

// The answer of one check. `missing` is set when a field it needs is not in the report: nothing was checked.
struct CheckAnswer {
  std::string row;   // "A03"
  std::string code;  // what it raises
  enum class State { kOk, kFinding, kNotCheckable } state = State::kOk;
  std::string missing;
  bool may_be_missing = false;  // PASS stays reachable although it was not checkable

  [[nodiscard]] Json ToJson() const;
};

}  // namespace helix::analysis
