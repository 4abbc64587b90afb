#include "core/analysis/finding.h"

namespace helix::analysis {

const char* SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kWarn:
      return "warn";
    case Severity::kInconclusive:
      return "inconclusive";
    case Severity::kFail:
      return "fail";
  }
  return "fail";
}

Json Finding::ToJson() const {
  return {{"code", code},         {"severity", SeverityName(severity)},
          {"where", where},       {"seen", seen},
          {"expected", expected}, {"to_do", to_do}};
}

Json CheckAnswer::ToJson() const {
  Json out{{"row", row}, {"code", code}};
  switch (state) {
    case State::kOk:
      out["answer"] = "ok";
      break;
    case State::kFinding:
      out["answer"] = "finding";
      break;
    case State::kNotCheckable:
      out["answer"] = "not_checkable";
      out["missing"] = missing;
      out["may_be_missing"] = may_be_missing;
      break;
  }
  return out;
}

}  // namespace helix::analysis
