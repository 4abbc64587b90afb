#include "core/tracks/track_b/track_b_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/random.h"

namespace helix::tracks {
namespace {

constexpr std::array<const char*, 16> kWords = {"river",  "stone",  "market",  "window", "seven",  "copper",
                                                "garden", "paper",  "north",   "letter", "bridge", "silver",
                                                "valley", "engine", "morning", "harbor"};
// A token is counted generously: a reservation must not be too small.
constexpr double kSafety = 1.5;
constexpr double kOverheadTokens = 64;  // template, roles, markers

std::string Words(SplitMix64& random, std::size_t characters) {
  std::string text;
  while (text.size() < characters) {
    text += kWords[random.Below(kWords.size())];
    text += random.Below(12) == 0 ? ".\n" : " ";
  }
  text.resize(characters);
  return text;
}

std::string Salt(SplitMix64& random) {
  std::string salt;
  for (int i = 0; i < 24; ++i) salt += "0123456789abcdef"[random.Below(16)];
  return salt + "\n";
}

std::string Question(SplitMix64& random) {
  return "Write one short sentence about the word " + std::string(kWords[random.Below(kWords.size())]) +
         " and the number " + std::to_string(100 + random.Below(900)) + ".";
}

std::size_t Characters(int tokens, const TrackBOptions& options) {
  return static_cast<std::size_t>(std::lround(tokens * options.chars_per_token));
}

void AddTurns(std::vector<PlannedCall>& calls, const PlannedCall& warm, const TrackBOptions& options,
              SplitMix64& random) {
  PlannedCall turn = warm;
  turn.arm = PlannedCall::Arm::kTurn;
  turn.request.turns.clear();
  for (int i = 0; i < options.turns; ++i) {
    if (i > 0) turn.request.turns.push_back({"assistant", Words(random, Characters(60, options))});
    turn.request.turns.push_back({"user", Words(random, Characters(120, options)) + "\n" + Question(random)});
    turn.pair = i;
    calls.push_back(turn);
  }
}

}  // namespace

const char* ArmName(PlannedCall::Arm arm) {
  switch (arm) {
    case PlannedCall::Arm::kPrime:
      return "prime";
    case PlannedCall::Arm::kCold:
      return "cold";
    case PlannedCall::Arm::kWarm:
      return "warm";
    case PlannedCall::Arm::kTurn:
      return "turn";
  }
  return "prime";
}

std::vector<PlannedCall> PlanCalls(const TrackBOptions& options) {
  SplitMix64 random(options.seed);
  PlannedCall warm;
  warm.request.model = options.model;
  warm.request.output_tokens = options.output_tokens;
  warm.request.ttl = options.ttl;
  warm.request.marked = true;
  warm.request.salt = Salt(random);
  warm.request.prefix = Words(random, Characters(options.prefix_tokens, options));
  warm.request.turns = {{"user", Question(random)}};
  const PlannedCall prime = warm;
  std::vector<PlannedCall> calls = {prime};
  for (int pair = 0; pair < options.pairs; ++pair) {
    warm.pair = pair;
    warm.request.turns = {{"user", Question(random)}};
    warm.arm = PlannedCall::Arm::kWarm;
    PlannedCall cold = warm;
    cold.arm = PlannedCall::Arm::kCold;
    cold.request.salt = Salt(random);
    cold.request.marked = false;
    bool cold_first = random.Below(2) == 0;
    if (cold_first) calls.push_back(cold);
    if (options.prime_each_warm) calls.push_back(prime);
    calls.push_back(warm);
    if (!cold_first) calls.push_back(cold);
  }
  AddTurns(calls, warm, options, random);
  return calls;
}

std::optional<cost::Money> MostPerCall(const PlannedCall& call, const TrackBOptions& options,
                                       const cost::PriceRow& row) {
  if (!row.in || !row.out) return std::nullopt;
  cost::Price dearest = *row.in;
  for (const auto& price : {row.write_5m, row.write_1h, row.write_other}) {
    if (price) dearest = std::max(dearest, *price);
  }
  double characters = double(call.request.salt.size() + call.request.prefix.size());
  for (const auto& turn : call.request.turns) characters += double(turn.text.size());
  double prompt = characters / options.chars_per_token * kSafety + kOverheadTokens;
  return dearest * Tokens{std::llround(std::ceil(prompt))} + *row.out * Tokens{options.output_tokens};
}

}  // namespace helix::tracks
