// Traps of a measurement: a buffering hop, arms that are not what they are called, replayed replies, lifetime
// gauges.
#pragma once
#include "core/base/json.h"

namespace helix::consistency {

Json DiagnoseMeasurement(const Json& input);

}  // namespace helix::consistency
