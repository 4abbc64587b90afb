#include "core/backend/prometheus.h"

#include <gtest/gtest.h>

namespace helix::backend {
namespace {

TEST(Prometheus, ReadsNamesAndValuesAndSkipsComments) {
  const Json got = ParsePrometheus(
      "# HELP llamacpp:prompt_tokens_total Number of prompt tokens processed.\n"
      "# TYPE llamacpp:prompt_tokens_total counter\n"
      "llamacpp:prompt_tokens_total 1234\r\n"
      "llamacpp:prompt_seconds_total 1.25e-1 1700000000000\n"
      "\n"
      "llamacpp:requests_processing 0");
  EXPECT_EQ(got, (Json{{"llamacpp:prompt_tokens_total", 1234.0},
                       {"llamacpp:prompt_seconds_total", 0.125},
                       {"llamacpp:requests_processing", 0.0}}));
}

TEST(Prometheus, KeepsLabelsWithBlanksAndQuotesInTheName) {
  const Json got = ParsePrometheus(R"(vllm:hits{model="a b",kind="x\"} y"} 7)");
  EXPECT_EQ(got, (Json{{R"(vllm:hits{model="a b",kind="x\"} y"})", 7.0}}));
}

TEST(Prometheus, LeavesOutWhatIsNotAFiniteNumber) {
  EXPECT_TRUE(ParsePrometheus("a NaN\nb +Inf\nc\nd x\n{").empty());
}

TEST(CounterDeltas, HoldsOnlyCountersThatBothSidesHaveAndThatDidNotGoDown) {
  const Json before = {{"a", 1.0}, {"gone", 5.0}, {"restarted", 9.0}};
  const Json after = {{"a", 4.0}, {"new", 2.0}, {"restarted", 3.0}};
  EXPECT_EQ(CounterDeltas(before, after), (Json{{"a", 3.0}}));
  EXPECT_TRUE(CounterDeltas(Json(), after).empty());
}

}  // namespace
}  // namespace helix::backend
