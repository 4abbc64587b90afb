#include "core/equivalence/recorded_case.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "tests/support/paths.h"

namespace helix::equivalence {
namespace {

TEST(RecordedCase, GetsTheClassOfEveryRecordedCase) {
  std::istringstream lines(ReadFile(testing_support::TestData("equivalence/recorded_cases.jsonl")).value());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json recorded = ParseStrict(line).value();
    const auto found = ClassifyRecorded(recorded["input"]);
    ASSERT_TRUE(found) << line << found.error().Text();
    EXPECT_EQ(ClassName(found->finding.cls), recorded["class"]) << line << found->finding.reason;
  }
  EXPECT_GE(count, 18);
}

// The cases of public threads that the diagnosis uses too: the class's own diagnosis is the expected verdict.
TEST(RecordedCase, GetsTheVerdictOfEveryDiagnosedCase) {
  std::istringstream lines(ReadFile(testing_support::TestData("diagnosis/cases.jsonl")).value());
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json recorded = ParseStrict(line).value();
    if (StringAt(recorded, "kind") != "equivalence") continue;
    ++count;
    const auto found = ClassifyRecorded(recorded["input"]);
    ASSERT_TRUE(found) << line << found.error().Text();
    EXPECT_EQ(DiagnosisOf(found->finding.cls), StringAt(recorded, "expect/verdict")) << line;
  }
  EXPECT_EQ(count, 2);
}

TEST(RecordedCase, NotesAnIndexThatItsOwnTokensContradict) {
  const auto found = ClassifyRecorded(
      {{"cold", {1, 2, 3}}, {"warm", {1, 9, 3}}, {"diverged_at", 2}, {"cold_top2_margin_nats", 0.01}});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->notes.size(), 1U);
  EXPECT_EQ(found->finding.divergence->index, 1U);
}

TEST(RecordedCase, ShowsNoTokensWhereNoneWereRecorded) {
  const auto found = ClassifyRecorded({{"diverged_at", 3}, {"cold_top2_margin_nats", 0.01}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->finding.divergence->index, 3U);
  EXPECT_EQ(Find(ToJson(found->finding)["first_divergence"], "cached_continuation"), nullptr);
}

TEST(RecordedCase, RefusesWhatIsNotOfTheForm) {
  for (const Json& input :
       {Json(3), Json::object(), Json{{"cold", {1}}}, Json{{"cold", {1}}, {"warm", {"a"}}},
        Json{{"cold", {1}}, {"warm", {-1}}}, Json{{"cold", 3}, {"warm", {1}}}, Json{{"diverged_at", -1}},
        Json{{"cold", {1}}, {"warm", {1}}, {"cold_logprobs", {1, 2}}}}) {
    const auto found = ClassifyRecorded(input);
    ASSERT_FALSE(found) << input.dump();
    EXPECT_EQ(found.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(found.error().hint.empty());
  }
}

TEST(EquivalenceClass, MapsToVerdictsAndDiagnoses) {
  EXPECT_STREQ(VerdictOf(Class::kExact), "PASS");
  EXPECT_STREQ(VerdictOf(Class::kNearTie), "PASS");
  EXPECT_STREQ(VerdictOf(Class::kCorruption), "FAIL");
  for (const Class other : {Class::kAmbiguous, Class::kUnknown, Class::kNondeterministicBaseline}) {
    EXPECT_STREQ(VerdictOf(other), "INCONCLUSIVE");
  }
  EXPECT_EQ(DiagnosisOf(Class::kNearTie), "DIVERGED_NEAR_TIE");
  EXPECT_EQ(DiagnosisOf(Class::kCorruption), "DIVERGED_DEFECT");
  EXPECT_EQ(DiagnosisOf(Class::kNondeterministicBaseline), "INCONCLUSIVE_NONDETERMINISTIC");
  EXPECT_FALSE(DiagnosisOf(Class::kExact));
  EXPECT_EQ(Worse(Class::kCorruption, Class::kNondeterministicBaseline), Class::kNondeterministicBaseline);
}

}  // namespace
}  // namespace helix::equivalence
