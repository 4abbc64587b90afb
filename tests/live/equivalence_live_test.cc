// The equivalence oracle with its default settings against a real llama-server running the demo model. What
// it prints is where the boundary tables of docs/measurement.md come from.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <thread>

#include "core/base/clock.h"
#include "core/equivalence/control_servers.h"
#include "core/equivalence/oracle_report.h"
#include "tests/live/live_llama.h"

namespace helix::equivalence {
namespace {

using live::Flash;
using live::LiveLlama;

OracleOptions Options(LiveLlama& server, ControlServers& controls) {
  OracleOptions out = StandardOptions();
  out.server_ubatch = server.server->startup().ubatch.value_or(0);
  out.context_per_slot = server.identity.context_per_slot;
  AddServerBoundaries(out.shapes, 1, out.server_ubatch);
  EXPECT_TRUE(FitToContext(out.shapes, out.context_per_slot));
  out.control_server = [&](std::int64_t ubatch, const RunContext& context) {
    return controls.WithUbatch(ubatch, context);
  };
  return out;
}

std::string Cell(const std::map<std::string, double>& row, const std::string& shape) {
  const auto found = row.find(shape);
  if (found == row.end()) return "-";
  if (found->second == 0) return "0";
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", found->second);
  return text;
}

// Largest |cached - fresh| at every boundary length, as the document shows it.
void PrintBoundaries(const LiveLlama& server, const OracleResult& result) {
  std::map<std::int64_t, std::map<std::string, double>> rows;
  for (const CaseResult& one : result.cases) {
    if (one.shape.boundary == 0 || !one.finding.d_cf) continue;
    double& cell = rows[one.shape.shared][one.shape.shape];
    cell = std::max(cell, one.finding.d_cf->max);
  }
  const backend::LlamaStartup& startup = server.server->startup();
  std::printf(
      "\n%s, flash attention %s, micro-batch %lld, K %s, V %s\n| length | exact repeat | prefix + 8 |\n",
      server.identity.build.c_str(), startup.flash_attention.c_str(),
      static_cast<long long>(startup.ubatch.value_or(0)), startup.cache_type_k.c_str(),
      startup.cache_type_v.c_str());
  for (const auto& [length, row] : rows) {
    std::printf("| %lld | %s | %s |\n", static_cast<long long>(length), Cell(row, "exact_repeat").c_str(),
                Cell(row, "prefix_extension").c_str());
  }
}

enum class Control { kSecondServer, kSameServer };

OracleResult RunLive(backend::ManagedServerFlags flags, Control arm = Control::kSecondServer) {
  LiveLlama server(std::move(flags));
  ControlServers controls(server.options);
  OracleOptions options = Options(server, controls);
  if (arm == Control::kSameServer) {
    options.control_server = nullptr;
    options.server_ubatch = 0;
  }
  auto result = RunOracle(*server.client, server.identity, options, server.context);
  EXPECT_TRUE(result) << result.error().Text();
  if (!result) return {};
  std::printf("%s", ResultText(ResultJson(*result, options)).c_str());
  PrintBoundaries(server, *result);
  for (const NegativeControl& control : result->negative_controls) {
    EXPECT_TRUE(control.detected) << control.kind << ": " << control.detail;
  }
  EXPECT_EQ(result->canary.status, CanaryStatus::kNotApplicable);
  EXPECT_TRUE(result->noise_known);
  for (const CaseResult& one : result->cases) {
    EXPECT_TRUE(one.refused.empty());
    EXPECT_GT(one.answers.cached.output.cached_tokens.value_or(0), 0);
    EXPECT_EQ(one.answers.fresh.output.cached_tokens, 0);
  }
  return *std::move(result);
}

TEST(EquivalenceLive, IsExactToTheBitWithoutFlashAttention) {
  const OracleResult result = RunLive(Flash("off"));
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_EQ(result.cls, Class::kExact);
  EXPECT_EQ(result.noise, 0);
  ASSERT_TRUE(result.d_cf);
  EXPECT_EQ(result.d_cf->max, 0);
  EXPECT_GE(result.cases.size(), 40U);
}

TEST(EquivalenceLive, FindsTheNoiseOfFlashAttentionAndDoesNotCallItCorruption) {
  const OracleResult result = RunLive(Flash("on"));
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_TRUE(result.cls == Class::kExact || result.cls == Class::kNearTie);
  EXPECT_GT(result.noise, 0);
}

// An endpoint of the user's: its micro-batch is not known and no second server can be started.
TEST(EquivalenceLive, MeasuresTheNoiseOnTheSameServerWhereThereIsNoSecond) {
  const OracleResult result = RunLive(Flash("auto"), Control::kSameServer);
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_GT(result.noise, 0);
  for (const CaseResult& one : result.cases) EXPECT_EQ(one.control.method, "shape_matched_prompt");
}

// A quantised cache does not take the kernel that depends on the batch shape.
TEST(EquivalenceLive, IsExactToTheBitWithAQuantisedCacheAndFlashAttention) {
  backend::ManagedServerFlags flags = Flash("on");
  flags.cache_type_k = flags.cache_type_v = "q8_0";
  const OracleResult result = RunLive(flags);
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_EQ(result.cls, Class::kExact);
}

TEST(EquivalenceLive, KnowsTheMicroBatchFromWhatWasStarted) {
  LiveLlama as_is(Flash("off"));
  EXPECT_EQ(as_is.server->startup().ubatch, 512);
  EXPECT_EQ(as_is.server->startup().batch, 2048);
  EXPECT_EQ(as_is.server->startup().flash_attention, "disabled");
  EXPECT_EQ(as_is.server->startup().cache_type_k, "f16");
  backend::ManagedServerFlags own = Flash("on");
  own.extra = {"-ub", "96"};
  LiveLlama users(own);
  EXPECT_EQ(users.server->startup().ubatch, 96);
  EXPECT_EQ(users.server->startup().flash_attention, "enabled");
}

TEST(EquivalenceLive, ReportsProgressAndStopsWithinTwoSecondsOfBeingCancelled) {
  LiveLlama server(Flash("off"));
  ControlServers controls(server.options);
  std::stop_source stop;
  std::int64_t stopped_ns = 0;
  int steps = 0;
  RunContext context;
  context.stop = stop.get_token();
  std::jthread canceller;
  context.progress = [&](const Progress& progress) {
    EXPECT_LE(progress.done, progress.total);
    EXPECT_FALSE(progress.message.empty());
    if (++steps != 4) return;
    canceller = std::jthread([&] {  // in the middle of a request, not between two
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      stopped_ns = SteadyNowNs();
      stop.request_stop();
    });
  };
  const auto result = RunOracle(*server.client, server.identity, Options(server, controls), context);
  const std::int64_t ended_ns = SteadyNowNs();
  ASSERT_GE(steps, 4);
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled) << result.error().Text();
  EXPECT_LT(ended_ns - stopped_ns, 2'000'000'000);
}

}  // namespace
}  // namespace helix::equivalence
