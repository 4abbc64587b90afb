// docs/measurement.md, embedded when the program is built.
#pragma once
#include <string_view>

namespace helix::mcp {

// Empty when the program was built without the page.
std::string_view MeasurementGuide();

}  // namespace helix::mcp
