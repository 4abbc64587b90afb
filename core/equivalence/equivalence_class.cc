#include "core/equivalence/equivalence_class.h"

#include <algorithm>

namespace helix::equivalence {

const char* ClassName(Class value) {
  switch (value) {
    case Class::kExact:
      return "EXACT";
    case Class::kNearTie:
      return "NEAR_TIE";
    case Class::kAmbiguous:
      return "AMBIGUOUS";
    case Class::kUnknown:
      return "UNKNOWN";
    case Class::kCorruption:
      return "CORRUPTION";
    case Class::kNondeterministicBaseline:
      return "NONDETERMINISTIC_BASELINE";
  }
  return "UNKNOWN";
}

const char* VerdictOf(Class value) {
  switch (value) {
    case Class::kExact:
    case Class::kNearTie:
      return "PASS";
    case Class::kCorruption:
      return "FAIL";
    default:
      return "INCONCLUSIVE";
  }
}

std::optional<std::string> DiagnosisOf(Class value) {
  switch (value) {
    case Class::kNearTie:
      return "DIVERGED_NEAR_TIE";
    case Class::kCorruption:
      return "DIVERGED_DEFECT";
    case Class::kNondeterministicBaseline:
      return "INCONCLUSIVE_NONDETERMINISTIC";
    default:
      return std::nullopt;
  }
}

Class Worse(Class a, Class b) {
  return std::max(a, b);
}

}  // namespace helix::equivalence
