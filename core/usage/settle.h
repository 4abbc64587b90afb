// From a provider's raw counters to the normal form: what adds up, what is a part of what, what contradicts.
#pragma once
#include "core/usage/count.h"
#include "core/usage/usage.h"

namespace helix::usage {

// The counters as one shape names them.
struct Draft {
  bool additive =
      false;       // input excludes what was read and written (Anthropic); else it includes them (OpenAI)
  Count input;     // additive: the uncached rest; otherwise the whole prompt
  Count uncached;  // where a reply names it beside the whole prompt (DeepSeek's miss)
  Count read;
  bool read_derived = false;
  Count write_5m, write_1h, write_other;
  bool write_5m_derived = false;
  Count output;
  bool output_derived = false;
  Count reasoning;
  // The input came in an earlier event than the cache counters and was not repeated with them.
  bool input_before_cache = false;
  // The reply carries marks of the vendor's own API, whose input never includes the cached part; an input
  // that equals read + writes is then a coincidence.
  bool surely_additive = false;
};

// Fills counters, visibility and the flags that contradictions raise:
//   input_includes_cached_suspected  an additive shape whose input is about read + writes: in_total is the
//   larger cached_exceeds_prompt            a subset shape with more cached than prompt: in_total is the
//   larger invalid_counter                  a counter that is no whole number from 0 to 2^53: read as absent
// What such a contradiction leaves in doubt is absent.
void Settle(const Draft& draft, Usage& usage);

// Flags that a single reply can show: cold, hit, partial_hit, trivial_reuse, write, unknown_not_zero.
void AddReuseFlags(Usage& usage);

}  // namespace helix::usage
