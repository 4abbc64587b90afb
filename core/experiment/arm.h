// The kinds of calls that a run is made of.
#pragma once
#include <string_view>

namespace helix::experiment {

enum class Arm {
  kOff,      // measured, nothing may be reused
  kOn,       // measured, the prefix was put into the cache before
  kPrime,    // puts the prefix into the cache for the next kOn; its cost is recorded apart
  kOffAa,    // a second cold call of the same prompt: kOff against it shows the noise of the machine
  kControl,  // another prefix of equal length on the warm server: what "warm" does without a shared prefix
};

// "off", "on", "prime", "off_aa", "control".
std::string_view ArmName(Arm arm);
// Every arm but the cold ones lets the server use its cache.
bool UsesCache(Arm arm);
// Prime calls are not timed: they are sent unstreamed and generate one token.
bool IsTimed(Arm arm);

}  // namespace helix::experiment
