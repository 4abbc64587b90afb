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
  std::string concise;  // a profile of the concise-output lever; empty: that arm is left out
  std::optional<double> temperature;
  // Send the prefix once more, unmeasured, before each warm call: a server with one slot keeps only the last
  // prompt.
  bool prime_each_warm = false;
};

struct PlannedCall {
  enum class Arm { kPrime, kCold, kWarm, kTurn, kHoldOut, kConcise } arm = Arm::kPrime;
  int pair = -1;  // or the turn, or the task
  backend::ChatRequest request;
  std::string answer;  // of a task with an exact answer; empty: none
};
const char* ArmName(PlannedCall::Arm arm);  // "prime", "cold", "warm", "turn", "hold_out", "concise"
// The name in a report: "off" and "on" for cold and warm, as everywhere.
const char* ReportArmName(PlannedCall::Arm arm);

// prime, then the pairs with their two calls in random order (as many of either order as possible), then the
// turns, then the concise lever's tasks. Both calls of a pair ask the same question behind the same prefix;
// the cold one begins with a salt that occurs once, the warm one with a salt of the same length that never
// changes. No two salts that follow each other share their first letter.
std::vector<PlannedCall> PlanCalls(const TrackBOptions& options);

// The plan as a report hashes it. `may_be_missing`: rows of the catalogue that this set-up cannot record.
Json PlanJson(const std::vector<PlannedCall>& calls, const TrackBOptions& options);

// Tokens that a call can have beside the prefix, output included, where a letter is a token (the longest
// case).
int TokensBesidePrefix(const TrackBOptions& options);

// More tokens than the call's prompt can have, by a generous estimate.
std::int64_t MostPromptTokens(const PlannedCall& call, const TrackBOptions& options);

// The most one call can cost: its whole prompt at the dearest input or write price, all output tokens used.
// nullopt when the price of input or output is not known.
std::optional<cost::Money> MostPerCall(const PlannedCall& call, const TrackBOptions& options,
                                       const cost::PriceRow& row);

}  // namespace helix::tracks
