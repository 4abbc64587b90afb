// Track B against a real llama-server's /v1/messages. Its label says what it is; no number here is
// Anthropic's.
#include <gtest/gtest.h>

#include <iostream>

#include "core/analysis/verify_report.h"
#include "core/backend/prompt_logprobs.h"
#include "core/tracks/track_b/managed_target.h"
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
  request.options.turns = 3;
  auto result = RunTrackB(request, settings, env, RunContext{});
  ASSERT_TRUE(result) << result.error().Text();
  ASSERT_NE((*result)["verdict"], "SKIP") << DumpPretty(*result);
  EXPECT_EQ((*result)["label"], "anthropic-compatible (llama.cpp)");
  EXPECT_EQ((*result)["weights"], "synthetic");
  EXPECT_EQ((*result)["warm"]["failed"], 0);
  EXPECT_EQ((*result)["cold"]["failed"], 0);
  EXPECT_GE((*result)["warm"]["prefix_share_min"].get<double>(), 0.9) << DumpPretty(*result);
  EXPECT_LE((*result)["cold"]["cached_max"].get<std::int64_t>(),
            (*result)["template_tokens"].get<std::int64_t>());
  EXPECT_LT((*result)["template_tokens"].get<std::int64_t>(), 100);
  EXPECT_GT((*result)["ttft_difference_ms"]["ci_low"].get<double>(), 0) << DumpPretty(*result);
  EXPECT_EQ((*result)["cost"]["kind"], "free");
  EXPECT_NE((*result)["verdict"], "FAIL") << DumpPretty((*result)["findings"]);
  auto verification = analysis::VerifyReport((*result)["report_path"]);
  ASSERT_TRUE(verification);
  EXPECT_TRUE(verification->held()) << DumpPretty(verification->ToJson());
  RecordProperty("result", DumpJson(*result));
  std::cout << DumpPretty({{"verdict", (*result)["verdict"]},
                           {"cold", (*result)["cold"]},
                           {"warm", (*result)["warm"]},
                           {"template_tokens", (*result)["template_tokens"]},
                           {"prefix_tokens", (*result)["prefix_tokens"]},
                           {"ttft_difference_ms", (*result)["ttft_difference_ms"]},
                           {"decode", (*result)["decode"]["statement"]}})
            << "\n";
}

TEST(TrackBLive, LlamaServerTakesARequestForPromptLogprobsAndDoesNotAnswerIt) {
  const EnvReader env = ProcessEnvironment();
  TrackBOptions options;
  options.prefix_tokens = 200;
  bool asked = false;
  const auto result =
      OnManagedTarget(options, SettingsFromEnvironment(env), env, RunContext{},
                      [&asked](const std::string& base_url) -> Result<Json> {
                        auto scored = backend::FetchPromptLogprobs(base_url, "", "A B C D E", RunContext{});
                        asked = true;
                        if (scored) return Json::object();
                        return tl::make_unexpected(scored.error());
                      });
  ASSERT_TRUE(asked) << (result ? DumpJson(*result) : result.error().Text());
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("prompt_logprobs: unsupported. The server accepted the request"),
            std::string::npos)
      << result.error().Text();
  EXPECT_NE(result.error().hint.find("vLLM or SGLang"), std::string::npos);
}

}  // namespace
}  // namespace helix::tracks
