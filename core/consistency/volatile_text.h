// Why two versions of one text differ at their first differing byte: a clock, a date, an id, a git snapshot,
// a pasted file, a client's attribution line.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "core/consistency/cause.h"

namespace helix::consistency {

struct VolatileText {
  Cause cause;
  Span a;  // the piece of each text that the cause explains
  Span b;
};

// nullopt when no detector knows the difference: an ordinary edit.
std::optional<VolatileText> ExplainTextChange(const std::string& a, const std::string& b);

// A line that Claude Code puts in front of the system text and that changes with every request or version.
bool IsAttributionLine(const std::string& text);
// "<total_tokens>N tokens left</total_tokens>" and its like: text that a client renews at every turn.
bool IsReminder(const std::string& text);

}  // namespace helix::consistency
