// What is known of a server (its address, slots, context, features) against what a request needs.
#pragma once
#include "core/base/json.h"

namespace helix::consistency {

Json DiagnoseServerFacts(const Json& facts);

}  // namespace helix::consistency
