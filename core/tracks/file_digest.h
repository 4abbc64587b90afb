// The digest of a model file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace helix::tracks {

// SHA-256 in hexadecimal, read in pieces. nullopt when the file cannot be read or is larger than `max_bytes`:
// reading tens of gigabytes would cost more than the run.
std::optional<std::string> FileSha256(const std::string& path,
                                      std::uint64_t max_bytes = std::uint64_t{2} << 30);

}  // namespace helix::tracks
