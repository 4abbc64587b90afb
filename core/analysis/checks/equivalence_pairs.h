// The pairs of answers of /equivalence, as the checks of group E walk them.
#pragma once
#include <string>

#include "core/analysis/checks/check.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

inline const Json* Pairs(const CheckInput& in) {
  const Json* pairs = Find(in.report.Equivalence(), "pairs");
  return pairs != nullptr && pairs->is_array() ? pairs : nullptr;
}

inline std::string At(std::size_t i, const char* field) {
  return "/equivalence/pairs/" + std::to_string(i) + "/" + field;
}

// Calls test(index, pair, cached, fresh) for every pair that has both sides; Missing when there is none.
template <typename Test>
void EachEquivalencePair(const CheckInput& in, Reporter& out, Test test) {
  const Json* pairs = Pairs(in);
  if (pairs == nullptr) return out.Missing("equivalence/pairs");
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const Json* cached = Find((*pairs)[i], "cached");
    const Json* fresh = Find((*pairs)[i], "fresh");
    if (cached == nullptr || fresh == nullptr) {
      out.Missing("equivalence/pairs/" + std::to_string(i) + "/cached");
      continue;
    }
    test(i, (*pairs)[i], *cached, *fresh);
  }
}

inline const Json* Tokens(const Json& side) {
  const Json* tokens = Find(side, "tokens");
  return tokens != nullptr && tokens->is_array() ? tokens : nullptr;
}

// The same for pairs that have token ids on both sides.
template <typename Test>
void EachTokenPair(const CheckInput& in, Reporter& out, Test test) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json& pair, const Json& cached, const Json& fresh) {
    const Json* c = Tokens(cached);
    const Json* f = Tokens(fresh);
    if (c == nullptr || f == nullptr)
      return out.Missing("equivalence/pairs/" + std::to_string(i) + "/cached/tokens");
    test(i, pair, *c, *f);
  });
}

inline bool Claims(const CheckInput& in) {
  return StringAt(in.report.Equivalence(), "claim").value_or("none") != "none";
}

}  // namespace helix::analysis::checks
