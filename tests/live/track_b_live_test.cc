// Track B against a real llama-server's /v1/messages. Its label says what it is; no number here is
// Anthropic's.
#include <gtest/gtest.h>

#include "core/tracks/track_b/track_b.h"
#include "tests/support/paths.h"

namespace helix::tracks {
namespace {

TEST(TrackBLive, WarmCallsReadThePrefixColdOnesTheTemplateAndTheFirstTokenComesSooner) {
  const EnvReader env = ProcessEnvironment();
  Settings settings = SettingsFromEnvironment(env);
  settings.report_dir = testing_support::ScratchDir();
  TrackBRequest request;
  request.managed = true;
  request.options.prefix_tokens = 1500;
  request.options.output_tokens = 34;
  request.options.turns = 2;
  auto result = RunTrackB(request, settings, env, RunContext{});
  ASSERT_TRUE(result) << result.error().Text();
  ASSERT_NE((*result)["verdict"], "SKIP") << DumpPretty(*result);
  EXPECT_EQ((*result)["label"], "anthropic-compatible (llama.cpp)");
  EXPECT_EQ((*result)["weights"], "synthetic");
  EXPECT_GE((*result)["warm"]["read_share_min"].get<double>(), 0.9);
  EXPECT_LE((*result)["cold"]["cached_max"].get<std::int64_t>(),
            (*result)["template_tokens"].get<std::int64_t>());
  EXPECT_GT((*result)["ttft_difference_ms"]["ci_low"].get<double>(), 0) << DumpPretty(*result);
  EXPECT_EQ((*result)["cost"]["kind"], "free");
  EXPECT_EQ((*result)["warm"]["failed"], 0);
  EXPECT_EQ((*result)["cold"]["failed"], 0);
  RecordProperty("result", DumpJson(*result));
}

}  // namespace
}  // namespace helix::tracks
