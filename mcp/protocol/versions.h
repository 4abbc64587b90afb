// Protocol revisions: which there are and what each allows.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace helix::mcp {

enum class Era {
  kLegacy,  // 2024-11-05 to 2025-11-25: a handshake first
  kModern,  // 2026-07-28: every request says its own revision
};

inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kNewestLegacy = "2025-11-25";
// What a legacy HTTP request without a version header means.
inline constexpr std::string_view kAssumedVersion = "2025-03-26";
inline constexpr std::array<std::string_view, 4> kLegacyVersions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                                    "2024-11-05"};

bool IsLegacyVersion(std::string_view version);
// The answer to `initialize`: the version asked for if it is one of ours, else the newest legacy one. Never
// an echo of something unknown, never the modern one, which has no handshake.
std::string_view NegotiateLegacy(std::string_view requested);
// Arrays of messages exist in one revision only.
inline bool AllowsBatches(std::string_view version) {
  return version == "2025-03-26";
}

}  // namespace helix::mcp
