// Whether the counters prove which arm used the cache, and whether the server's own clock agrees with them.
#pragma once
#include "core/equivalence/oracle.h"

namespace helix::equivalence {

// "hit_counter": detected when every case has counters on both sides that say what its arm is called, and
// prompts of which most was reused took less of the server's time than fresh ones. Needs the cases' refusals.
NegativeControl HitCounter(const OracleResult& result);

}  // namespace helix::equivalence
