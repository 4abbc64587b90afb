// Finding the usage in a document and telling its shape.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/usage/provider.h"
#include "core/usage/usage.h"

namespace helix::usage {

struct Located {
  Shape shape = Shape::kNone;
  const Json* usage = nullptr;  // borrowed from the reply; nullptr when the reply has none
  std::string source;           // "usage", "choices[0].usage", ...
};

// Looks where providers put it: usage, message.usage, choices[0].usage, response.usage, metadata.usage,
// usageMetadata, meta_info, timings, stats, data, or the object itself.
Located Locate(const Json& reply, std::string_view provider);

// Whether the object is a model's reply at all, with usage or without.
bool LooksLikeReply(const Json& reply);

// One reply in the normal form; flag no_usage when the reply carries none. nullopt when the object is no
// reply.
std::optional<Reply> ReadReply(const Json& reply, std::string_view provider = {},
                               bool input_before_cache = false);

}  // namespace helix::usage
