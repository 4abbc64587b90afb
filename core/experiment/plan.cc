#include "core/experiment/plan.h"

#include <string>

#include "core/base/random.h"

namespace helix::experiment {
namespace {

// true: `off` first. Equal counts of both; with an odd number of pairs the seed decides which has one more.
std::vector<bool> OffFirst(int pairs, SplitMix64& random) {
  const bool extra = random.Below(2) == 1;
  std::vector<int> draw;
  for (int i = 0; i < pairs; ++i) draw.push_back(static_cast<int>((i % 2 == 0) == extra));
  random.Shuffle(draw);
  return {draw.begin(), draw.end()};
}

void AddPair(std::vector<Call>& calls, int pair, bool warmup, bool off_first, bool control) {
  const auto add = [&](Arm arm) { calls.push_back({arm, pair, warmup}); };
  add(off_first ? Arm::kOff : Arm::kOffAa);
  add(Arm::kPrime);
  add(Arm::kOn);
  add(off_first ? Arm::kOffAa : Arm::kOff);
  if (control) add(Arm::kControl);
}

Json Prompts(const Workload& workload) {
  Json list = Json::array();
  for (const PairPrompt& pair : workload.pairs) {
    Json entry = {{"prompt_sha256", TokensSha256(pair.prompt)},
                  {"prompt_tokens", pair.prompt.size()},
                  {"prefix_sha256", TokensSha256(pair.Prefix())},
                  {"prefix_tokens", pair.prefix_tokens}};
    if (!pair.control.empty()) entry["control_sha256"] = TokensSha256(pair.control);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::vector<Call> DrawCalls(int warmup_pairs, const std::vector<bool>& controls, std::uint64_t seed) {
  SplitMix64 random(seed);
  const int all = static_cast<int>(controls.size());
  const std::vector<bool> off_first = OffFirst(all - warmup_pairs, random);
  std::vector<Call> calls;
  for (int pair = 0; pair < all; ++pair) {
    const bool warmup = pair < warmup_pairs;
    const bool first = warmup || off_first[static_cast<std::size_t>(pair - warmup_pairs)];
    AddPair(calls, pair, warmup, first, controls[static_cast<std::size_t>(pair)]);
  }
  return calls;
}

Plan MakePlan(const Shape& shape, const Workload& workload, std::uint64_t seed) {
  Plan plan;
  plan.seed = seed;
  plan.shape = shape;
  plan.prompts = Prompts(workload);
  plan.workload = workload.description;
  std::vector<bool> controls;
  for (const PairPrompt& pair : workload.pairs) controls.push_back(!pair.control.empty());
  plan.calls = DrawCalls(shape.warmup_pairs, controls, seed);
  return plan;
}

Json Plan::ToJson() const {
  Json order = Json::array();
  Json pairs = Json::array();
  for (const Call& call : calls) {
    order.push_back(ArmName(call.arm));
    pairs.push_back(call.pair);
  }
  return {{"seed", seed},
          {"profile", shape.profile},
          {"n_pairs", shape.pairs},
          {"warmup_pairs", shape.warmup_pairs},
          {"prefix_tokens", shape.prefix_tokens},
          {"new_tokens", shape.new_tokens},
          {"output_tokens", shape.output_tokens},
          {"order", std::move(order)},
          {"pair_of_call", std::move(pairs)},
          {"prompts", prompts},
          {"workload", workload},
          {"sampler", sampler},
          {"cold_method", cold_method},
          {"concurrency", 1},
          {"load_model", "closed, 1 in flight"},
          {"stopping", {{"rule", "fixed"}}},
          {"exclusion_rules", Json::array()},
          {"metric", "ttft"}};
}

}  // namespace helix::experiment
