// Track A against a real llama-server on the demo model. Each run is shared by many assertions: they cost
// seconds.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <regex>
#include <thread>

#include "core/analysis/analyze.h"
#include "core/backend/llama_server.h"
#include "core/backend/managed_llama_server.h"
#include "core/backend/server_files.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "core/tracks/track_a.h"
#include "core/tracks/track_a_text.h"
#include "tests/fakes/fake_http_server.h"
#include "tests/live/demo_server.h"
#include "tests/live/program.h"
#include "tests/support/paths.h"

namespace helix::live {
namespace {

using testing_support::ScratchDir;

Json ParsedOrFail(const std::string& text) {
  auto json = ParseStrict(text);
  EXPECT_TRUE(json) << text.substr(0, 400);
  return json ? *json : Json::object();
}

// A number followed by a multiplication sign, an x or a percent sign reads as a result.
bool HoldsAResult(const std::string& text) {
  return std::regex_search(text, std::regex("[0-9]\\s*(\xC3\x97|x\\b|%)"));
}

TEST(TrackALive, QuickRunOnTheDemoModelGivesAProvenResult) {
  const std::string dir = ScratchDir();
  const ProgramRun run = RunProgram("bench-track-a --managed --quick --json --report-dir " + dir);
  const Json result = ParsedOrFail(run.out);
  const std::string verdict = StringAt(result, "verdict").value_or("");
  EXPECT_TRUE(verdict == "PASS" || verdict == "INCONCLUSIVE") << run.out;
  EXPECT_EQ(run.exit_code, verdict == "PASS" ? 0 : 3);
  EXPECT_EQ(BoolAt(result, "synthetic"), false);
  EXPECT_EQ(StringAt(result, "model").value_or("").find("synthetic weights"), 0U);
  EXPECT_EQ(IntAt(result, "pairs"), 10);
  EXPECT_LE(NumberAt(result, "off/cached_max").value_or(99), 1);
  EXPECT_GE(NumberAt(result, "on/reused_share_min").value_or(0), 0.95);
  EXPECT_GT(NumberAt(result, "prefill_ratio/value").value_or(0), 3);
  EXPECT_GT(NumberAt(result, "prefill_ratio/ci_low").value_or(0), 1);
  EXPECT_LE(NumberAt(result, "decode_ratio/ci_low").value_or(99), 1.1);
  EXPECT_GE(NumberAt(result, "decode_ratio/ci_high").value_or(0), 0.9);
  EXPECT_NEAR(NumberAt(result, "skip_bound").value_or(0), 9, 0.5);
  EXPECT_LE(NumberAt(result, "prefill_ratio/ci_low").value_or(99),
            1.1 * NumberAt(result, "skip_bound").value_or(0));
  EXPECT_EQ(StringAt(result, "equivalence/class"), "EXACT")
      << "flash attention is off: cached and fresh are equal";
  for (const char* arm : {"off", "on"}) {
    EXPECT_EQ(IntAt(result[arm], "n"), 10);
    EXPECT_EQ(IntAt(result[arm], "failed"), 0);
    EXPECT_EQ(BoolAt(result[arm], "p95_is_max"), true);
    for (const char* field :
         {"ttft_ms_p50", "ttft_ms_p95", "prefill_ms_p50", "total_ms_p50", "decode_tokens_per_s"}) {
      EXPECT_GT(NumberAt(result[arm], field).value_or(0), 0) << arm << ' ' << field;
    }
  }
  EXPECT_LT(run.out.size(), 60U * 1024);

  const std::string path = StringAt(result, "report_path").value_or("");
  const auto bytes = ReadFile(path);
  ASSERT_TRUE(bytes) << path;
  EXPECT_EQ(evidence::Sha256Hex(*bytes), StringAt(result, "report_sha256").value_or(""));
  EXPECT_EQ(bytes->find(testing_support::SourceDir()), std::string::npos)
      << "the report names a folder of the machine";
  const analysis::Analysis again = analysis::AnalyzeBytes(*bytes);
  EXPECT_EQ(analysis::VerdictName(again.verdict), verdict);
  for (const auto& finding : again.findings) {
    EXPECT_NE(finding.severity, analysis::Severity::kFail) << DumpJson(finding.ToJson());
  }

  const ProgramRun verified = RunProgram("verify " + path + " --json");
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  const Json verification = ParsedOrFail(verified.out);
  for (const Json& step : verification["steps"]) {
    EXPECT_EQ(step["answer"], "holds") << "every step can be made on a run of our own: " << DumpJson(step);
  }
  EXPECT_TRUE(again.unknown_fields.empty()) << Json(again.unknown_fields).dump();

  const std::string text = tracks::TrackAText(result);
  EXPECT_EQ(text.find("*** SYNTHETIC WEIGHTS"), 0U) << "the first thing a reader sees";
  EXPECT_NE(text.find("model: synthetic weights"), std::string::npos);
}

TEST(TrackALive, WithoutAServerItSkipsAndGivesNoNumber) {
  int port = 0;
  {
    fakes::FakeHttpServer gone;
    port = gone.port();
  }
  const std::string words = "bench-track-a --endpoint http://127.0.0.1:" + std::to_string(port) + "/v1";
  const ProgramRun json = RunProgram(words + " --json");
  EXPECT_EQ(json.exit_code, 77);
  const Json result = ParsedOrFail(json.out);
  EXPECT_EQ(result.size(), 4U) << json.out;
  EXPECT_EQ(StringAt(result, "verdict"), "SKIP");
  EXPECT_EQ(StringAt(result, "skip_code"), "topology_unsupported");
  EXPECT_EQ(StringAt(result, "skip_reason").value_or("").find("server_unreachable:"), 0U);
  EXPECT_FALSE(StringAt(result, "would_run_if").value_or("").empty());
  const ProgramRun text = RunProgram(words);
  EXPECT_EQ(text.exit_code, 77);
  EXPECT_FALSE(HoldsAResult(json.out)) << json.out;
  EXPECT_FALSE(HoldsAResult(text.out)) << text.out;
}

TEST(TrackALive, AGatewayThatSaysOkIsSkippedAndNamed) {
  fakes::FakeHttpServer gateway([](const fakes::ReceivedRequest&, fakes::FakeConnection& connection) {
    connection.Reply(200, R"({"status":"ok"})", "application/json", "server: some-gateway/3\r\n");
  });
  const ProgramRun run = RunProgram("bench-track-a --json --endpoint " + gateway.base_url());
  EXPECT_EQ(run.exit_code, 77);
  const Json result = ParsedOrFail(run.out);
  EXPECT_EQ(StringAt(result, "skip_code"), "topology_unsupported");
  const std::string reason = StringAt(result, "skip_reason").value_or("");
  EXPECT_EQ(reason.find("target_not_llama_server:"), 0U);
  EXPECT_NE(reason.find("some-gateway/3"), std::string::npos) << reason;
  EXPECT_FALSE(HoldsAResult(run.out));
}

// With SIGTERM a llama-server closes its port at once and keeps the open stream for half a minute.
class TrackALiveEnd : public testing::TestWithParam<int> {};

TEST_P(TrackALiveEnd, OfTheServerInMidRunLeavesAReportThatSaysSo) {
  std::int64_t killed_ns = 0;
  RunContext context;
  context.progress = [&killed_ns](const Progress& progress) {
    if (progress.done != 20) return;
    for (const int pid : Descendants(::getpid(), "--slot-save-path")) ::kill(pid, GetParam());
    killed_ns = SteadyNowNs();
  };
  Settings settings = SettingsFromEnvironment(ProcessEnvironment());
  settings.report_dir = ScratchDir();
  tracks::TrackAOptions options;
  options.target.managed = true;
  const auto result = tracks::RunTrackA(options, settings, context);
  ASSERT_GT(killed_ns, 0);
  EXPECT_LT(static_cast<double>(SteadyNowNs() - killed_ns) / 1e9, 10);
  EXPECT_TRUE(Descendants(::getpid(), "--slot-save-path").empty()) << "a child process was left";
  ASSERT_TRUE(result) << result.error().Text();
  const std::string verdict = StringAt(*result, "verdict").value_or("");
  EXPECT_TRUE(verdict == "FAIL" || verdict == "INCONCLUSIVE") << DumpJson(*result);
  EXPECT_GT(IntAt(*result, "off/n").value_or(0), 0) << "finished calls are kept";
  EXPECT_GT(IntAt(*result, "off/failed").value_or(0), 0);
  EXPECT_FALSE(StringAt(*result, "stopped_because").value_or("").empty());
  const auto report = ReadJsonFile(StringAt(*result, "report_path").value_or(""));
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ((*report)["samples"].size(), (*report)["plan"]["order"].size())
      << "every planned call has its row";
}
INSTANTIATE_TEST_SUITE_P(BySignal, TrackALiveEnd, testing::Values(SIGKILL, SIGTERM),
                         [](const auto& about) { return about.param == SIGKILL ? "Kill" : "Term"; });

TEST(TrackALive, CancellingReturnsAtOnceAndLeavesTheServerIdle) {
  auto server = StartDemoServer();
  ASSERT_TRUE(server) << server.error().Text();
  std::stop_source stop;
  std::int64_t stopped_ns = 0;
  RunContext context;
  context.stop = stop.get_token();
  std::jthread canceller;
  context.progress = [&](const Progress& progress) {
    if (progress.done != 12) return;
    canceller = std::jthread([&] {  // in the middle of the call, not between two
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      stopped_ns = SteadyNowNs();
      stop.request_stop();
    });
  };
  Settings settings;
  settings.report_dir = ScratchDir();
  tracks::TrackAOptions options;
  options.target.endpoint = server->base_url();
  const auto result = tracks::RunTrackA(options, settings, context);
  const std::int64_t returned_ns = SteadyNowNs();
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_LT(static_cast<double>(returned_ns - stopped_ns) / 1e9, 2);
  backend::LlamaServer probe({server->base_url(), std::nullopt, ""});
  ASSERT_TRUE(probe.Identify({}));
  EXPECT_TRUE(probe.WaitIdle(Millis{50}, {}));
}

TEST(TrackALive, AServerOfTheUsersOwnKindIsMeasuredAsItIs) {
  backend::ManagedServerFlags flags;
  flags.slots = 2;
  flags.prompt_cache_mib = 256;  // a second cache behind the slots: the cold counter must stay at zero
  flags.extra = {"--api-key", "k-123", "--no-slots"};
  auto server = StartDemoServer(flags);
  ASSERT_TRUE(server) << server.error().Text();
  Settings settings;
  settings.report_dir = ScratchDir();
  tracks::TrackAOptions options;
  options.target.endpoint = server->base_url() + "/v1";
  options.overrides.pairs = 3;
  options.overrides.prefix_tokens = 200;
  const auto refused = tracks::RunTrackA(options, settings, {});
  ASSERT_TRUE(refused) << refused.error().Text();
  EXPECT_EQ(StringAt(*refused, "skip_reason").value_or("").find("credentials_absent:"), 0U)
      << DumpJson(*refused);
  settings.api_key = "k-123";
  const auto result = tracks::RunTrackA(options, settings, {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "verdict"), "INCONCLUSIVE") << "three pairs decide nothing";
  EXPECT_EQ(NumberAt(*result, "off/cached_max"), 0);
  EXPECT_GE(NumberAt(*result, "on/reused_share_min").value_or(0), 0.95);
  EXPECT_NE(DumpJson((*result)["notices"]).find("/v1 was dropped"), std::string::npos);
  const auto report = ReadFile(StringAt(*result, "report_path").value_or(""));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->find("k-123"), std::string::npos) << "the key is in the report";
}

}  // namespace
}  // namespace helix::live
