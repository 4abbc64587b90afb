// Predictions, the sweep and a replayed agent loop on a real llama-server with the demo model.
#include <gtest/gtest.h>

#include "core/backend/managed_llama_server.h"
#include "core/backend/server_files.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/consistency/server_kind.h"
#include "core/experiment/text_source.h"
#include "core/record/recorder.h"
#include "tests/live/demo_server.h"
#include "tests/live/program.h"
#include "tests/support/paths.h"

namespace helix::live {
namespace {

using testing_support::ScratchDir;

// `folder` keeps the reports.
Json BenchResult(const std::string& folder, const std::string& words) {
  const ProgramRun run = RunProgram("bench-track-a --json --report-dir " + folder + "/reports " + words);
  auto json = ParseStrict(run.out);
  EXPECT_TRUE(json) << run.out.substr(0, 400);
  return json ? *json : Json::object();
}

TEST(WorkloadLive, EveryRequestOfTheTenShapesReusesWhatIsPredicted) {
  const Json result = BenchResult(ScratchDir(), "--managed --workload shapes");
  EXPECT_EQ(StringAt(result, "verdict"), "PASS") << StringAt(result, "reason").value_or("");
  ASSERT_EQ(result["shapes"].size(), 10U);
  for (const Json& shape : result["shapes"])
    for (const Json& row : shape["requests"])
      EXPECT_EQ(StringAt(row, "verdict"), "MATCH") << shape["name"] << ": " << row.dump();
  EXPECT_GT(IntAt(result, "reused_tokens").value_or(0), 10'000);
  EXPECT_TRUE(ReadJsonFile(StringAt(result, "report_path").value_or("")));
}

TEST(WorkloadLive, TheSweepStaysWithinItsBoundsAndGivesAModel) {
  const Json result = BenchResult(ScratchDir(), "--managed --quick --workload sweep");
  EXPECT_EQ(StringAt(result, "verdict"), "PASS") << StringAt(result, "reason").value_or("");
  EXPECT_GT(NumberAt(result, "cost_model/b_ms_per_token").value_or(0), 0);
  for (const Json& cell : result["cells"]) {
    EXPECT_EQ(IntAt(cell, "mislabelled"), 0) << cell.dump();
    EXPECT_GT(NumberAt(cell, "prefill_ratio/value").value_or(0), 1) << cell.dump();
    EXPECT_LE(NumberAt(cell, "prefill_ratio/ci_low").value_or(1e9),
              1.1 * NumberAt(cell, "skip_bound").value_or(0))
        << cell.dump();
  }
}

// Four growing turns through the recorder, as an agent sends them; the third gets a clock into its system
// text.
class ReplayLive : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = StartDemoServer();
    ASSERT_TRUE(started) << started.error().Text();
    server_.emplace(std::move(*started));
  }
  std::string Record() {
    const std::string capture = folder_ + "/capture.jsonl";
    auto recorder = record::Recorder::Start({server_->base_url(), "127.0.0.1:0", capture, 60});
    EXPECT_TRUE(recorder) << recorder.error().Text();
    if (!recorder) return capture;
    experiment::TextSource text(3);
    Json body{{"model", "m"}, {"max_tokens", 8}};
    body["messages"] = Json::array({{{"role", "system"}, {"content", "It is 10:00:01. " + text.Text(500)}}});
    for (int turn = 0; turn < 4; ++turn) {
      if (turn == 2) {
        auto system = body["messages"][0]["content"].get<std::string>();
        body["messages"][0]["content"] = system.replace(6, 8, "10:00:09");
      }
      body["messages"].push_back({{"role", "user"}, {"content", text.Text(200)}});
      net::HttpClient client("http://127.0.0.1:" + std::to_string((*recorder)->port()));
      const auto reply = consistency::Ask(client, "POST", "/v1/chat/completions", &body, "", {});
      EXPECT_TRUE(reply && reply->status == 200);
      if (!reply) break;
      body["messages"].push_back(
          {{"role", "assistant"},
           {"content", StringAt(reply->body["choices"][0], "message/content").value_or("")}});
    }
    (*recorder)->Stop();
    return capture;
  }
  const std::string folder_ = ScratchDir();
  std::optional<backend::ManagedLlamaServer> server_;
};

TEST_F(ReplayLive, ARecordedLoopIsReplayedTurnByTurnWithTheCacheOnAndOff) {
  const std::string capture = Record();
  const Json result = BenchResult(folder_, "--managed --workload " + capture);
  ASSERT_EQ(result["turns"].size(), 4U) << result.dump(1);
  for (const Json& turn : result["turns"]) {
    EXPECT_EQ(StringAt(turn, "verdict"), "MATCH") << turn.dump();
    EXPECT_EQ(BoolAt(turn, "off_cold"), true) << turn.dump();
  }
  EXPECT_EQ(StringAt(result, "verdict"), "PASS") << StringAt(result, "reason").value_or("");
  const auto reported = [&](int turn) { return IntAt(result["turns"][turn], "reported").value_or(-1); };
  EXPECT_GT(reported(1), 500);
  EXPECT_LT(reported(2), 100) << "the clock breaks the third turn";
  EXPECT_GT(reported(3), reported(1));
  EXPECT_GT(NumberAt(result, "loop/prefill_ratio/ci_low").value_or(0), 1);
  EXPECT_LT(IntAt(result, "loop/on_processed_tokens").value_or(1 << 30),
            IntAt(result, "loop/off_processed_tokens").value_or(0));
  EXPECT_EQ(result.dump().find("10:00:09"), std::string::npos) << "the prompt's text is in the result";
}

TEST_F(ReplayLive, TheProbeFindsTheServersTotalsInAgreementAndANewServerMakesAReportStale) {
  const ProgramRun probe = RunProgram("probe-backend --json --isolation --endpoint " + server_->base_url());
  const auto seen = ParseJson(probe.out);
  ASSERT_TRUE(seen) << probe.out;
  EXPECT_EQ(StringAt(*seen, "verdict"), "OK_PARTIAL_HIT") << probe.out;
  EXPECT_EQ(BoolAt(*seen, "totals/agrees"), true) << probe.out;
  for (const char* can : {"token_ids_in", "token_ids_out", "prefill_time", "tokenizer", "zero_is_reported"})
    EXPECT_EQ(BoolAt(*seen, can), true) << can;
  EXPECT_EQ(StringAt(*seen, "isolation/verdict"), "CROSSES") << "llama-server has no cache namespaces";

  const Json result = BenchResult(folder_, "--endpoint " + server_->base_url() + " --quick --pairs 2 --prefix-tokens 64");
  const std::string report = StringAt(result, "report_path").value_or("");
  const auto state = [&](const std::string& endpoint) {
    const auto json = ParseJson(RunProgram("verify " + report + " --json --endpoint " + endpoint).out);
    return json ? StringAt(*json, "freshness/state").value_or("") : std::string("no JSON");
  };
  EXPECT_EQ(state(server_->base_url()), "current");
  const EnvReader env = ProcessEnvironment();
  backend::ManagedServerOptions options;
  options.program = *backend::FindLlamaServer(SettingsFromEnvironment(env), env);
  options.model = *backend::FindModel({}, env);
  options.flags.context = 2048;
  auto other = backend::ManagedLlamaServer::Start(options, {});
  ASSERT_TRUE(other) << other.error().Text();
  EXPECT_EQ(state(other->base_url()), "stale");
}

}  // namespace
}  // namespace helix::live
