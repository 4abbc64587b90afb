// What a Track B run will send, decided before the first call.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/chat_request.h"
#include "core/base/json.h"
#include "core/cost/prices.h"

namespace helix::tracks {

struct TrackBOptions {
  int pairs = 10;            // at least 10
  int prefix_tokens = 5000;  // of the shared prefix, by `chars_per_token`
  int turns = 4;             // of the growing conversation; 0: none
  int output_tokens = 48;
  std::uint64_t seed = 1;
  double chars_per_token = 4;  // an estimate for hosted models; measured where the server counts tokens
  std::string model;
  std::string ttl;
  // Send the prefix once more, unmeasured, before each warm call: a server with one slot keeps only the last
  // prompt.
  bool prime_each_warm = false;
};

struct PlannedCall {
  enum class Arm { kPrime, kCold, kWarm, kTurn } arm = Arm::kPrime;
  int pair = -1;  // or the turn
  backend::ChatRequest request;
};
const char* ArmName(PlannedCall::Arm arm);  // "prime", "cold", "warm", "turn"

// prime, then the pairs with their two calls in random order, then the turns. Both calls of a pair ask the
// same question behind the same prefix; the cold one begins with a salt that occurs once, the warm one with a
// salt of the same length that never changes.
std::vector<PlannedCall> PlanCalls(const TrackBOptions& options);

// The most one call can cost: its whole prompt at the dearest input or write price, all output tokens used.
// nullopt when the price of input or output is not known.
std::optional<cost::Money> MostPerCall(const PlannedCall& call, const TrackBOptions& options,
                                       const cost::PriceRow& row);

}  // namespace helix::tracks
