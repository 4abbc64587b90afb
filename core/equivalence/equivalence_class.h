// The six outcomes of a comparison, and what each means for a result (docs/equivalence.md).
#pragma once
#include <optional>
#include <string>

namespace helix::equivalence {

// In the order of how much they say against a pass, least first.
enum class Class { kExact, kNearTie, kAmbiguous, kUnknown, kCorruption, kNondeterministicBaseline };

inline constexpr Class kAllClasses[] = {Class::kExact,      Class::kNearTie,
                                        Class::kAmbiguous,  Class::kUnknown,
                                        Class::kCorruption, Class::kNondeterministicBaseline};

// "EXACT", "NEAR_TIE", "AMBIGUOUS", "UNKNOWN", "CORRUPTION", "NONDETERMINISTIC_BASELINE".
const char* ClassName(Class value);
// "PASS", "FAIL" or "INCONCLUSIVE". Only CORRUPTION fails: nothing else blames the cache.
const char* VerdictOf(Class value);
// The verdict of a diagnosis (DIVERGED_NEAR_TIE, ...); nullopt for a class that has none there.
std::optional<std::string> DiagnosisOf(Class value);
// The worse of two. A baseline that disagrees with itself outranks CORRUPTION: it takes away what corruption
// would be measured against.
Class Worse(Class a, Class b);

}  // namespace helix::equivalence
