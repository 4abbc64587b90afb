// Anthropic's cache breakpoints (cache_control): where they stand and whether a request can find the last
// write. Rules: platform.claude.com prompt caching page, read 2026-08-22.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/consistency/cause.h"
#include "core/consistency/request_body.h"

namespace helix::consistency {

// A read looks at the marked block and 19 before it.
inline constexpr std::size_t kLookbackBlocks = 20;
inline constexpr std::size_t kMostBreakpoints = 4;

struct Breakpoints {
  std::vector<std::size_t>
      at;  // positions of marked blocks, counted over tools, system blocks, message blocks
  std::size_t first_message = 0;  // position of the first message block
  std::size_t blocks = 0;         // all of them
  bool automatic = false;         // a top-level cache_control moves the breakpoint forward by itself
  std::optional<int> ttl_s;       // the longest time to live named; absent when no marker names one
  [[nodiscard]] bool Any() const { return automatic || !at.empty(); }
};

Breakpoints BreakpointsOf(const RequestBody& request);

struct BreakpointFinding {
  Cause cause;
  std::optional<std::size_t> blocks_since_last;  // from the last write of a to the last marker of b
};

// For two requests whose content is append-only: BREAKPOINT_MISSING, BREAKPOINT_NOT_ADVANCING or
// LOOKBACK_EXCEEDED. nullopt when b's markers find the last entry that a wrote.
std::optional<BreakpointFinding> ExplainBreakpoints(const RequestBody& a, const RequestBody& b);

}  // namespace helix::consistency
