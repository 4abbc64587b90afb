// Most events of a stream are text deltas that hold no usage. Parsing them as JSON would be nearly all the
// work.
#pragma once
#include <string_view>

namespace helix::usage {

// True when the event certainly has no usage, timing, error, finish or cost in it: a content delta, a ping,
// or an OpenAI chunk whose "usage" and "finish_reason" are null. Never true for anything else.
bool IsPlainDelta(std::string_view data);

}  // namespace helix::usage
