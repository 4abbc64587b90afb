// Putting the usage of several events of one stream together.
#pragma once
#include "core/base/json.h"

namespace helix::usage {

// Replaces in `into` what `from` says and is not null; objects are merged member by member. Never adds
// numbers: later events of a stream repeat cumulative counters. A null only shows where nothing was said
// before.
void MergeNonNull(Json& into, const Json& from);

// Adds the whole numbers of `from` to those of `into`, member by member, objects inside included.
void AddCounters(Json& into, const Json& from);

}  // namespace helix::usage
