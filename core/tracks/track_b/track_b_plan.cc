#include "core/tracks/track_b/track_b_plan.h"

#include <algorithm>
#include <cmath>

#include "core/levers/concise.h"
#include "core/tracks/track_b/plan_text.h"

namespace helix::tracks {
namespace {

using Arm = PlannedCall::Arm;

// A token is counted generously: a reservation must not be too small.
constexpr double kSafety = 1.5;
constexpr double kOverheadTokens = 64;  // template, roles, markers
constexpr int kTasks = 10;
constexpr int kTaskOutputTokens = 400;

std::size_t Characters(int tokens, const TrackBOptions& options) {
  return static_cast<std::size_t>(std::lround(tokens * options.chars_per_token));
}

void AddTurns(std::vector<PlannedCall>& calls, const PlannedCall& warm, const TrackBOptions& options,
              SplitMix64& random) {
  PlannedCall turn = warm;
  turn.arm = Arm::kTurn;
  turn.request.turns.clear();
  for (int i = 0; i < options.turns; ++i) {
    if (i > 0) turn.request.turns.push_back({"assistant", FillerWords(random, Characters(60, options))});
    turn.request.turns.push_back(
        {"user", FillerWords(random, Characters(120, options)) + "\n" + CountingQuestion(500 + i)});
    turn.pair = i;
    calls.push_back(turn);
  }
}

// The profile's words stand at the end of the system text; its hold-out arm has the same text without them.
void AddTasks(std::vector<PlannedCall>& calls, const TrackBOptions& options, SplitMix64& random) {
  const auto* profile = levers::FindConciseProfile(options.concise);
  if (profile == nullptr) return;
  PlannedCall call;
  call.request.model = options.model;
  call.request.temperature = options.temperature;
  call.request.output_tokens = kTaskOutputTokens;
  for (int i = 0; i < kTasks; ++i) {
    const Task task = WordProblem(random);
    call.pair = i;
    call.answer = task.answer;
    call.request.turns = {{"user", task.question}};
    PlannedCall plain = call;
    plain.arm = Arm::kHoldOut;
    plain.request.prefix = "You solve word problems.";
    PlannedCall concise = call;
    concise.arm = Arm::kConcise;
    concise.request.prefix = plain.request.prefix + "\n" + std::string(profile->instruction);
    const bool plain_first = random.Below(2) == 0;
    calls.push_back(plain_first ? plain : concise);
    calls.push_back(plain_first ? concise : plain);
  }
}

PlannedCall FirstCall(const TrackBOptions& options, SplitMix64& random) {
  PlannedCall call;
  call.request.model = options.model;
  call.request.output_tokens = options.output_tokens;
  call.request.temperature = options.temperature;
  call.request.ttl = options.ttl;
  call.request.marked = true;
  call.request.salt = SaltWords(random, "");
  call.request.prefix = FillerWords(random, Characters(options.prefix_tokens, options));
  call.request.turns = {{"user", CountingQuestion(400)}};
  return call;
}

// true: the cold call comes first. As many of both as possible.
std::vector<bool> ColdFirst(int pairs, SplitMix64& random) {
  std::vector<int> draw;
  for (int i = 0; i < pairs; ++i) draw.push_back(i % 2);
  random.Shuffle(draw);
  return {draw.begin(), draw.end()};
}

}  // namespace

const char* ArmName(Arm arm) {
  switch (arm) {
    case Arm::kPrime:
      return "prime";
    case Arm::kCold:
      return "cold";
    case Arm::kWarm:
      return "warm";
    case Arm::kTurn:
      return "turn";
    case Arm::kHoldOut:
      return "hold_out";
    case Arm::kConcise:
      return "concise";
  }
  return "prime";
}

const char* ReportArmName(Arm arm) {
  if (arm == Arm::kCold) return "off";
  if (arm == Arm::kWarm) return "on";
  return ArmName(arm);
}

std::vector<PlannedCall> PlanCalls(const TrackBOptions& options) {
  SplitMix64 random(options.seed);
  PlannedCall warm = FirstCall(options, random);
  const PlannedCall prime = warm;
  std::vector<PlannedCall> calls = {prime};
  const auto cold_first = ColdFirst(options.pairs, random);
  std::string used(1, prime.request.salt.front());
  for (int pair = 0; pair < options.pairs; ++pair) {
    warm.pair = pair;
    warm.request.turns = {{"user", CountingQuestion(pair)}};
    warm.arm = Arm::kWarm;
    PlannedCall cold = warm;
    cold.arm = Arm::kCold;
    cold.request.salt = SaltWords(random, used);
    cold.request.marked = false;
    used = {prime.request.salt.front(), cold.request.salt.front()};
    const bool first = cold_first[static_cast<std::size_t>(pair)];
    if (first) calls.push_back(cold);
    if (options.prime_each_warm) calls.push_back(prime);
    calls.push_back(warm);
    if (!first) calls.push_back(cold);
  }
  AddTurns(calls, warm, options, random);
  AddTasks(calls, options, random);
  return calls;
}

Json PlanJson(const std::vector<PlannedCall>& calls, const TrackBOptions& options) {
  Json order = Json::array();
  Json pairs = Json::array();
  for (const auto& call : calls) {
    order.push_back(ReportArmName(call.arm));
    pairs.push_back(call.pair);
  }
  Json sampler = Json::object();
  if (options.temperature) sampler["temperature"] = *options.temperature;
  // Beside what Track A cannot record either: a hosted reply has no server times, slots or blocks, and a
  // model that refuses a temperature is asked without one.
  Json missing = {"A07b", "A07c", "A10", "A11b", "B05", "B07",  "C01",  "C02",  "C04", "C06", "C09",
                  "C10a", "C10b", "C18", "D08",  "E00", "E01a", "E01b", "E01c", "E02", "E03", "E04",
                  "E05a", "E06",  "E07", "E08",  "E09", "E10a", "E10b", "E11",  "E13"};
  return {{"track", "b"},
          {"seed", options.seed},
          {"n_pairs", options.pairs},
          {"warmup_pairs", 0},
          {"prefix_tokens", options.prefix_tokens},
          {"output_tokens", options.output_tokens},
          {"turns", options.turns},
          {"concise", options.concise},
          {"order", std::move(order)},
          {"pair_of_call", std::move(pairs)},
          {"sampler", std::move(sampler)},
          {"cold_method", "salt"},
          {"concurrency", 1},
          {"prime", true},
          {"stopping", {{"rule", "fixed"}}},
          {"exclusion_rules", Json::array()},
          {"metric", "ttft"},
          {"may_be_missing", std::move(missing)}};
}

int TokensBesidePrefix(const TrackBOptions& options) {
  constexpr int kPerTurn = 340;
  constexpr int kTemplateAndQuestion = 400;
  const int tasks = options.concise.empty() ? 0 : kTaskOutputTokens + kTemplateAndQuestion;
  return std::max(options.turns * kPerTurn + options.output_tokens + kTemplateAndQuestion, tasks);
}

std::int64_t MostPromptTokens(const PlannedCall& call, const TrackBOptions& options) {
  double characters = double(call.request.salt.size() + call.request.prefix.size());
  for (const auto& turn : call.request.turns) characters += double(turn.text.size());
  return std::llround(std::ceil(characters / options.chars_per_token * kSafety + kOverheadTokens));
}

std::optional<cost::Money> MostPerCall(const PlannedCall& call, const TrackBOptions& options,
                                       const cost::PriceRow& row) {
  if (!row.in || !row.out) return std::nullopt;
  cost::Price dearest = *row.in;
  for (const auto& price : {row.write_5m, row.write_1h, row.write_other}) {
    if (price) dearest = std::max(dearest, *price);
  }
  return dearest * Tokens{MostPromptTokens(call, options)} + *row.out * Tokens{call.request.output_tokens};
}

}  // namespace helix::tracks
