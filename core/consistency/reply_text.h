// A file with one reply or several, in any form that core/usage reads.
#pragma once
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::consistency {

// A JSON reply, a trace, a stream or JSON lines. kParse when it is none of these.
Result<Json> DiagnoseReplyText(std::string_view text);
// The same for what is already parsed: an object with `trace`, a list of replies, or one reply.
Json DiagnoseReplyValue(const Json& value);

}  // namespace helix::consistency
