// Quality gates that need no model to read the text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace helix::levers {

// Every error line of `before` is still there.
bool KeepsErrorLines(std::string_view before, std::string_view after);

// Numbers, identifiers with a digit, paths and URLs of a text, sorted, with repeats.
std::vector<std::string> Facts(std::string_view text);

// {"planted_facts": ..., "facts_kept": ..., "no_new_facts": ..., "error_lines_kept": ..., "negations_kept":
// ...}. `needles`: texts that must survive word for word. Gates that a model would have to judge are
// "not_applicable".
struct GateReport {
  bool facts_kept = false;    // each distinct fact of `before` occurs in `after`
  bool no_new_facts = false;  // and none was invented (our own placeholders apart)
  bool error_lines_kept = false;
  bool negations_kept = false;
  bool needles_kept = false;
  std::vector<std::string> lost_facts;  // at most 20

  // Whether a saving may count. A lossy rewrite leaves facts out on purpose: they need not all be there.
  [[nodiscard]] bool Passed(bool lossless) const {
    return no_new_facts && error_lines_kept && negations_kept && needles_kept && (facts_kept || !lossless);
  }
  [[nodiscard]] Json ToJson() const;
};
GateReport CheckGates(std::string_view before, std::string_view after,
                      const std::vector<std::string>& needles);

}  // namespace helix::levers
