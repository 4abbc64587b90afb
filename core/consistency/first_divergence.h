// The first place where two requests differ, in the order model, tools, system, messages.
#pragma once
#include <optional>
#include <string>

#include "core/consistency/request_body.h"

namespace helix::consistency {

struct Divergence {
  Part part = Part::kMessages;
  std::string pointer;      // RFC 6901, into a (or into b where only b has the value)
  const Json* a = nullptr;  // the differing value, nullptr where absent; borrowed from the requests
  const Json* b = nullptr;
  std::size_t index = 0;   // the element of the part (which tool, block or message); 0 when it is no array
  std::size_t offset = 0;  // first differing byte when both values are strings
  bool key_order_only = false;  // the object at `pointer` has the same members in another order
};

// Objects are compared in document key order, cache_control left out. Two arrays of messages may differ in
// length: more messages after a common start are no divergence. nullopt when a is a prefix of b or b of a.
std::optional<Divergence> FirstDivergence(const RequestBody& a, const RequestBody& b);

// The same for one part.
std::optional<Divergence> PartDivergence(const RequestBody& a, const RequestBody& b, Part part);

}  // namespace helix::consistency
