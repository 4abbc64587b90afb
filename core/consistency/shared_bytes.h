// How much of request b, in bytes, request a already holds.
#pragma once
#include <cstddef>
#include <string>

#include "core/consistency/request_body.h"

namespace helix::consistency {

struct SharedBytes {
  std::size_t common = 0;  // bytes of the longest common prefix
  std::size_t total = 0;   // bytes of b
  [[nodiscard]] double Share() const {
    return total ? static_cast<double>(common) / static_cast<double>(total) : 1.0;
  }
};

enum class RenderOrder { kToolsFirst, kSystemFirst };

// Compact JSON of model, each tool, each system block, each message, joined without separators; cache_control
// left out. kSystemFirst puts the system text before the tools, as most local chat templates render it.
std::string RenderForComparison(const RequestBody& request, RenderOrder order);

// How far the two requests agree in each order. Nothing is rendered as a whole: a request may be large.
struct SharedInBothOrders {
  SharedBytes tools_first, system_first;
};
SharedInBothOrders CompareRequests(const RequestBody& a, const RequestBody& b);

// ContextAround of the request as rendered with the tools first.
std::string RenderedContext(const RequestBody& request, std::size_t offset, std::size_t radius);

// Common prefix of two byte strings against the second.
SharedBytes CompareBytes(const std::string& a, const std::string& b);

// At most `radius` bytes either side of `offset`, cut at UTF-8 boundaries.
std::string ContextAround(const std::string& text, std::size_t offset, std::size_t radius);

}  // namespace helix::consistency
