// The recorded cases: each gets its verdict, its pointer, its shares and its numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/base/json_fields.h"
#include "core/consistency/advice_table.h"
#include "core/consistency/case_diagnosis.h"
#include "tests/support/paths.h"

namespace helix::consistency {
namespace {

std::vector<Json> Cases() {
  std::ifstream file(testing_support::TestData("diagnosis/cases.jsonl"));
  std::vector<Json> cases;
  for (std::string line; std::getline(file, line);)
    if (auto one = ParseJson(line)) cases.push_back(*one);
  return cases;
}

Result<Json> ReadBesideCases(const std::string& path) {
  return ReadJsonFile(testing_support::TestData("diagnosis/" + path));
}

bool Same(const Json& expected, const Json& seen) {
  if (expected.is_number() && seen.is_number())
    return std::fabs(expected.get<double>() - seen.get<double>()) < 5e-4;
  return expected == seen;
}

TEST(DiagnosisCases, EveryRecordedCaseGetsItsVerdictPointerAndNumbers) {
  const auto cases = Cases();
  ASSERT_EQ(cases.size(), 40u);
  for (const Json& one : cases) {
    const std::string id = StringAt(one, "id").value_or("?");
    const auto result = DiagnoseCase(one, &ReadBesideCases);
    ASSERT_TRUE(result) << id << ": " << result.error().Text();
    for (const auto& [key, expected] : one["expect"].items()) {
      if (key == "hint" || key == "backend") continue;
      const Json* seen = Find(*result, key);
      ASSERT_NE(seen, nullptr) << id << " has no " << key;
      EXPECT_TRUE(Same(expected, *seen))
          << id << " " << key << ": expected " << expected << ", got " << *seen;
    }
  }
}

TEST(DiagnosisCases, EveryVerdictGivenIsOfTheClosedListAndHasAdvice) {
  for (const Json& one : Cases()) {
    const auto result = DiagnoseCase(one, &ReadBesideCases);
    ASSERT_TRUE(result);
    const std::string verdict = StringAt(*result, "verdict").value_or("");
    EXPECT_TRUE(IsKnownVerdict(verdict)) << verdict;
    EXPECT_FALSE(StringAt(*result, "advice/text").value_or("").empty()) << verdict;
    EXPECT_FALSE(StringAt(*result, "advice/source").value_or("").empty()) << verdict;
  }
}

TEST(DiagnosisCases, NoAnswerGuessesAtACause) {
  for (const Json& one : Cases()) {
    const auto result = DiagnoseCase(one, &ReadBesideCases);
    ASSERT_TRUE(result);
    Json words = *result;
    words.erase("divergence");  // quotes the user's own text
    const std::string text = DumpJson(words);
    for (const char* guess : {"likely", "probably", "seems", "maybe", "might", "perhaps", "presumably"})
      EXPECT_EQ(text.find(guess), std::string::npos) << guess << " in " << text;
  }
}

}  // namespace
}  // namespace helix::consistency
