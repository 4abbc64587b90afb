// The catalogue as a Markdown table, for docs/measurement.md.
#pragma once
#include <string>

namespace helix::analysis {

// One line per check: row, code, severity, what PASS makes of its absence, meaning. Ends with a newline.
std::string CatalogueTable();

// The lines between which the table stands in the document.
inline constexpr const char* kTableBegin = "<!-- catalogue: begin, written by write_golden -->\n";
inline constexpr const char* kTableEnd = "<!-- catalogue: end -->\n";

}  // namespace helix::analysis
