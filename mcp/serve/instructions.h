// When to use which tool. Some clients show a model nothing but this until it asks for more.
#pragma once
#include <string>

namespace helix::mcp {

// Below 2 kB: what the strictest client keeps.
std::string Instructions();

}  // namespace helix::mcp
