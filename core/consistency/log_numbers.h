// Numbers out of log lines: "n_past = 21", "limit=4096", "(size = 587.042 MiB)".
#pragma once
#include <optional>
#include <string_view>

namespace helix::consistency {

// The number after `name` and an optional "=" or ":"; nullopt when the line has none. `name` must not be the
// end of a longer name.
std::optional<double> NumberAfter(std::string_view line, std::string_view name);

}  // namespace helix::consistency
