#include "core/experiment/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/backend/stub.h"

namespace helix::experiment {
namespace {

Plan Make(std::uint64_t seed, const Shape& shape = *ShapeOf("quick", {})) {
  backend::Stub stub;
  return MakePlan(shape, *MakeWorkload(stub, shape, 1, {}), seed);
}

// For each pair, whether `off` comes before `on`.
std::vector<bool> OffFirst(const Plan& plan) {
  std::map<int, bool> first;
  std::set<int> seen_on;
  for (const Call& call : plan.calls) {
    if (call.arm == Arm::kOn) seen_on.insert(call.pair);
    if (call.arm == Arm::kOff && !call.warmup) first[call.pair] = !seen_on.contains(call.pair);
  }
  std::vector<bool> out;
  for (const auto& [pair, is_first] : first) out.push_back(is_first);
  return out;
}

TEST(Plan, MeasuresEveryPairOnceInEachArm) {
  const Plan plan = Make(1);
  std::map<std::pair<int, Arm>, int> count;
  for (const Call& call : plan.calls) ++count[{call.pair, call.arm}];
  for (int pair = 0; pair < 11; ++pair) {
    for (const Arm arm : {Arm::kOff, Arm::kOn, Arm::kPrime, Arm::kOffAa}) EXPECT_EQ((count[{pair, arm}]), 1);
  }
}

TEST(Plan, PutsOffBeforeOnInHalfOfThePairsWhateverTheSeed) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<bool> first = OffFirst(Make(seed));
    EXPECT_EQ(std::count(first.begin(), first.end(), true), 5) << "seed " << seed;
  }
}

TEST(Plan, DrawsTheOrderFromTheSeed) {
  std::set<std::vector<bool>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) orders.insert(OffFirst(Make(seed)));
  EXPECT_GT(orders.size(), 15U);
  EXPECT_EQ(OffFirst(Make(3)), OffFirst(Make(3)));
}

TEST(Plan, PrimesDirectlyBeforeEveryWarmCallAndAfterAColdCallOfTheSamePrompt) {
  const Plan plan = Make(5);
  for (std::size_t i = 0; i < plan.calls.size(); ++i) {
    if (plan.calls[i].arm != Arm::kOn) continue;
    ASSERT_GE(i, 2U);
    EXPECT_EQ(plan.calls[i - 1].arm, Arm::kPrime);
    EXPECT_EQ(plan.calls[i - 1].pair, plan.calls[i].pair);
    EXPECT_FALSE(UsesCache(plan.calls[i - 2].arm));
    EXPECT_EQ(plan.calls[i - 2].pair, plan.calls[i].pair);
  }
}

TEST(Plan, RunsTheWarmUpFirst) {
  const Plan plan = Make(1);
  EXPECT_TRUE(plan.calls.front().warmup);
  EXPECT_EQ(std::count_if(plan.calls.begin(), plan.calls.end(), [](const Call& c) { return c.warmup; }), 4);
}

TEST(Plan, CommitsToEveryPromptByItsHash) {
  const Json json = Make(1).ToJson();
  ASSERT_EQ(json["prompts"].size(), 11U);
  EXPECT_EQ(json["prompts"][0]["prompt_sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(json["order"].size(), json["pair_of_call"].size());
  EXPECT_EQ(json["stopping"]["rule"], "fixed");
}

}  // namespace
}  // namespace helix::experiment
