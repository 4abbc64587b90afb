// How big a run is: the named profiles, the caller's own numbers, and what one slot of the server allows.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace helix::experiment {

struct Shape {
  std::string profile = "quick";
  int pairs = 10;
  int prefix_tokens = 512;  // shared, reused in the warm arm
  int new_tokens = 64;      // the new turn behind it, never reused
  int output_tokens = 48;   // shorter decode phases drown in noise
  int warmup_pairs = 1;     // run first, recorded, left out of statistics
  int control_every = 3;    // every n-th pair has a control call; 0: none

  [[nodiscard]] int prompt_tokens() const { return prefix_tokens + new_tokens; }
};

// What a caller may set beside the profile.
struct ShapeOverrides {
  std::optional<int> pairs, prefix_tokens, new_tokens, output_tokens;
};

// quick: 10 pairs of 512 tokens; standard: 12 of 1,024; thorough: 30 of 2,048. kInvalidArgument for another
// name or a number out of range, naming the range.
Result<Shape> ShapeOf(std::string_view profile, const ShapeOverrides& overrides);

struct FittedShape {
  Shape shape;
  std::string note;  // one sentence when the prefix was shortened; else empty
};
// Shortens the prefix so that prompt and output fit into `context_per_slot` tokens. kInvalidArgument when
// fewer than 64 prefix tokens would be left: a shorter prefix measures nothing.
Result<FittedShape> FitToSlot(const Shape& shape, std::int64_t context_per_slot);

}  // namespace helix::experiment
