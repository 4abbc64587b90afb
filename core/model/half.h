// IEEE 754 binary16, by integer arithmetic: the same bits on every compiler and processor.
#pragma once
#include <cstdint>

namespace helix::model {

// Rounds to nearest, ties to even. Beyond the largest finite half: infinity; below the smallest: zero.
std::uint16_t HalfFromFloat(float value);

}  // namespace helix::model
