// Identifiers that a program makes up: UUIDs, hashes, session ids, scratch paths, counters.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/consistency/cause.h"

namespace helix::consistency {

struct IdText {
  std::string kind;  // "uuid", "hash", "id", "scratch_path", "counter"
  Span a;            // the words that differ
  Span b;
};

// What the differing words at byte `at` of both texts are. nullopt when they are ordinary words.
std::optional<IdText> IdAt(std::string_view a, std::string_view b, std::size_t at);

}  // namespace helix::consistency
