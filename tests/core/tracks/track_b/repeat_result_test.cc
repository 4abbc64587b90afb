#include "core/tracks/track_b/repeat_result.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace helix::tracks {
namespace {

// Eight prompts of three repeats; `text` says what each answer is.
template <typename Text>
std::vector<RepeatAnswer> Answers(Text text, int prompts = 8) {
  std::vector<RepeatAnswer> out;
  for (int prompt = 0; prompt < prompts; ++prompt) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (const bool cached : {false, true}) {
        RepeatAnswer answer;
        answer.cached = cached;
        answer.prompt = prompt;
        answer.repeat = repeat;
        answer.ok = true;
        answer.text = text(prompt, repeat, cached);
        answer.read = cached ? 900 : 0;
        answer.prompt_tokens = 1000;
        answer.expects = "12 34";
        out.push_back(answer);
      }
    }
  }
  return out;
}

std::string Same(int, int, bool) {
  return "12 34 and more";
}

TEST(RepeatResult, SaysThatNoDifferenceWasDetectedAndHowLargeOneWouldHaveBeen) {
  const Json result = RepeatResult(Answers(Same), {});
  EXPECT_EQ(result["verdict"], "INCONCLUSIVE") << "texts are never a pass";
  EXPECT_EQ(result["class"], "UNKNOWN");
  EXPECT_EQ(result["difference_detected"], false);
  EXPECT_EQ(result["statistical"]["cross_agreement"], 1);
  EXPECT_GT(result["statistical"]["detectable_difference"], 0.0);
  EXPECT_EQ(result["needle"]["cached"]["all_three_values"], 24);
}

TEST(RepeatResult, DetectsAnArmThatAnswersOtherwise) {
  const Json result = RepeatResult(
      Answers([](int, int, bool cached) { return std::string(cached ? "56 78 or less" : "12 34 and more"); }),
      {});
  EXPECT_EQ(result["difference_detected"], true);
  EXPECT_LT(result["statistical"]["p_value"].get<double>(), 0.05);
  EXPECT_EQ(result["statistical"]["non_inferior"], false);
  EXPECT_EQ(result["needle"]["uncached"]["all_three_values"], 24);
  EXPECT_EQ(result["needle"]["cached"]["all_three_values"], 0);
}

TEST(RepeatResult, AnArmThatItsCounterDoesNotProveIsNoArm) {
  for (const auto& spoil : std::vector<std::function<void(RepeatAnswer&)>>{
           [](RepeatAnswer& a) { a.read.reset(); }, [](RepeatAnswer& a) { a.read = a.cached ? 0 : 900; },
           [](RepeatAnswer& a) { a.read = 16; }}) {
    auto answers = Answers(Same);
    for (auto& answer : answers) spoil(answer);
    const Json result = RepeatResult(answers, {});
    EXPECT_TRUE(result["difference_detected"].is_null()) << result.dump();
    EXPECT_NE(result["reason"].get<std::string>().find("no statement on the arms"), std::string::npos);
  }
}

TEST(RepeatResult, AFailedAnswerTakesItsPromptOutAndIsCounted) {
  auto answers = Answers(Same);
  answers[0].ok = false;
  answers[0].failure = "overloaded";
  const Json result = RepeatResult(answers, {});
  EXPECT_EQ(result["prompts_left_out"], 1);
  EXPECT_EQ(result["statistical"]["prompts"], 7);
  EXPECT_EQ(result["arms"]["uncached"]["failures"]["overloaded"], 1);
}

TEST(RepeatResult, WithoutOneWholePromptNothingWasCompared) {
  auto answers = Answers(Same, 1);
  answers[0].ok = false;
  RepeatFacts facts;
  facts.options.prompts = 1;
  const Json result = RepeatResult(answers, facts);
  EXPECT_FALSE(result.contains("statistical"));
  EXPECT_TRUE(result["difference_detected"].is_null());
  EXPECT_NE(RepeatText(result).find("nothing was compared"), std::string::npos);
}

TEST(RepeatResult, RandomWeightsAreAskedForNoNeedle) {
  RepeatFacts facts;
  facts.synthetic_weights = true;
  EXPECT_EQ(RepeatResult(Answers(Same), facts)["needle"]["status"], "not_applicable");
}

TEST(RepeatPlan, AsksBothArmsAsOftenAndHidesWhatItAsksForInTheCachedText) {
  for (const ColdMeans means : {ColdMeans::kUnmarked, ColdMeans::kSwitch, ColdMeans::kSalt}) {
    RepeatOptions repeats;
    repeats.cold = means;
    TrackBOptions options;
    options.model = "m";
    std::set<std::string> salts;
    std::set<std::string> prefixes;
    int cold = 0;
    int warm = 0;
    for (const auto& call : PlanRepeats(repeats, options)) {
      prefixes.insert(call.request.prefix);
      salts.insert(call.request.salt);
      cold += call.arm == PlannedCall::Arm::kCold ? 1 : 0;
      warm += call.arm == PlannedCall::Arm::kWarm ? 1 : 0;
      if (call.arm != PlannedCall::Arm::kPrime) {
        EXPECT_NE(call.request.prefix.find(" = " + call.answer.substr(0, 5)), std::string::npos);
      }
    }
    EXPECT_EQ(cold, 24);
    EXPECT_EQ(warm, 24);
    EXPECT_EQ(prefixes.size(), 8U);
    EXPECT_EQ(salts.size(), means == ColdMeans::kSalt ? 48U : 1U);
  }
}

TEST(RepeatPlan, RefusesNumbersThatProveNothing) {
  RepeatOptions options;
  EXPECT_TRUE(CheckRepeats(options));
  options.repeats = 1;
  EXPECT_FALSE(CheckRepeats(options));
  options = {};
  options.prompts = 1;
  EXPECT_FALSE(CheckRepeats(options));
  EXPECT_FALSE(RepeatProfile("fast"));
  EXPECT_EQ(RepeatProfile("standard")->prompts, 25);
}

}  // namespace
}  // namespace helix::tracks
