#include "core/experiment/sample.h"

#include <gtest/gtest.h>

namespace helix::experiment {
namespace {

TEST(Sample, WithoutAReplyHoldsNoNumberInPlaceOfOne) {
  Sample sample;
  sample.status = SampleStatus::kTimeout;
  sample.error = "no reply";
  const Json row = SampleJson(sample, "e1");
  EXPECT_EQ(row["status"], "timeout");
  EXPECT_TRUE(row["client"]["total_ns"].is_null());
  EXPECT_TRUE(row["client"]["ttft_ns"].is_null());
  EXPECT_FALSE(row.contains("server"));
  EXPECT_FALSE(row.contains("out"));
}

TEST(Sample, CountersThatTheServerDidNotGiveAreNull) {
  Sample sample;
  sample.reply.total_ns = 5;
  const Json row = SampleJson(sample, "e1");
  EXPECT_TRUE(row["server"]["cached_n"].is_null());
  EXPECT_TRUE(row["server"]["prompt_ms"].is_null());
  EXPECT_TRUE(row["out"]["tokens_sha256"].is_null());
  EXPECT_FALSE(row.contains("warmup"));
}

}  // namespace
}  // namespace helix::experiment
