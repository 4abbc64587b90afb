// Canonical JSON (RFC 8785, JCS): one byte sequence per value, so that it can be hashed.
#pragma once
#include <string>

#include "core/base/json.h"

namespace helix::evidence {

// Keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them. Non-finite numbers
// cannot come out of the parsers; should one be built in memory it is written as null.
std::string CanonicalJson(const Json& value);

// A double as ECMAScript's Number::toString prints it (RFC 8785 section 3.2.2.3).
std::string CanonicalNumber(double value);

}  // namespace helix::evidence
