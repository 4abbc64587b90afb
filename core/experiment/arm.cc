#include "core/experiment/arm.h"

namespace helix::experiment {

std::string_view ArmName(Arm arm) {
  switch (arm) {
    case Arm::kOff:
      return "off";
    case Arm::kOn:
      return "on";
    case Arm::kPrime:
      return "prime";
    case Arm::kOffAa:
      return "off_aa";
    case Arm::kControl:
      return "control";
  }
  return "off";
}

bool UsesCache(Arm arm) {
  return arm != Arm::kOff && arm != Arm::kOffAa;
}

bool IsTimed(Arm arm) {
  return arm != Arm::kPrime;
}

}  // namespace helix::experiment
