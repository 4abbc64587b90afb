#include "core/model/half.h"

#include <bit>

namespace helix::model {
namespace {

// Drops `shift` low bits, to nearest, ties to even.
std::uint32_t RoundedShift(std::uint32_t value, int shift) {
  const std::uint32_t kept = value >> shift;
  const std::uint32_t half = 1U << (shift - 1);
  const std::uint32_t rest = value & ((half << 1) - 1);
  return kept + ((rest > half || (rest == half && (kept & 1) != 0)) ? 1 : 0);
}

}  // namespace

std::uint16_t HalfFromFloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
  const int exponent = static_cast<int>((bits >> 23) & 0xFF) - 127 + 15;
  const std::uint32_t mantissa = bits & 0x7FFFFF;
  std::uint32_t magnitude = 0;
  if (exponent >= 31) {
    const bool nan = exponent == 255 - 127 + 15 && mantissa != 0;
    magnitude = nan ? 0x7E00 : 0x7C00;
  } else if (exponent > 0) {
    // A carry out of the mantissa moves into the exponent, which is the right next number.
    magnitude = RoundedShift((static_cast<std::uint32_t>(exponent) << 23) | mantissa, 13);
  } else if (exponent >= -10) {
    magnitude = RoundedShift(mantissa | 0x800000, 14 - exponent);
  }
  return static_cast<std::uint16_t>(sign | magnitude);
}

}  // namespace helix::model
