#include "core/tracks/equivalence_check.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/analysis/verify_report.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/net/silence_limit.h"
#include "tests/fakes/fake_http_server.h"
#include "tests/fakes/toy_backend.h"
#include "tests/support/paths.h"

namespace helix::tracks {
namespace {

using fakes::ToyBackend;
using fakes::ToyOptions;

Settings Scratch() {
  Settings out;
  out.report_dir = testing_support::ScratchDir();
  return out;
}

Result<Json> Check(const ToyOptions& toy, const Settings& settings, EquivalenceCheckOptions options = {}) {
  Target target;
  target.backend = std::make_unique<ToyBackend>(toy);
  target.identity = *target.backend->Identify({});
  options.prompts = options.prompts.value_or(1);
  options.output_tokens = 16;
  return RunEquivalenceCheckOn(target, options, {}, settings, {});
}

TEST(EquivalenceCheck, LeavesAReportWhoseBytesHaveTheDigestItAnswersWith) {
  const Settings settings = Scratch();
  const auto result = Check({}, settings);
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["verdict"], "PASS") << DumpJson(*result);
  EXPECT_EQ((*result)["weights"], "synthetic");
  const auto bytes = ReadFile((*result)["report_path"].get<std::string>());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(evidence::Sha256Hex(*bytes), (*result)["report_sha256"]);
  const auto report = ParseStrict(*bytes);
  ASSERT_TRUE(report);
  EXPECT_EQ((*report)["schema"], "helix.equivalence/1");
  auto store = evidence::RunStore::Open(settings.report_dir);
  ASSERT_TRUE(store);
  const auto digest = StringAt((*report)["cases"][0], "fresh/raw_sha256");
  ASSERT_TRUE(digest);
  EXPECT_TRUE(store->objects().Has(*digest));
  const std::size_t named_by_cases = 6 * (*report)["cases"].size();
  EXPECT_GT((*report)["evidence_objects"].size(), named_by_cases) << "the controls' answers are kept as well";
}

TEST(EquivalenceCheck, LeavesARecordThatVerifiesUntilOneByteIsChanged) {
  const auto result = Check({}, Scratch());
  ASSERT_TRUE(result);
  const std::string path = (*result)["report_path"];
  const auto whole = analysis::VerifyReport(path);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->held()) << DumpJson(whole->ToJson());
  EXPECT_FALSE(whole->steps.back().made) << "nothing is computed anew, and it says so";
  std::string bytes = ReadFile(path).value();
  bytes.replace(bytes.find("\"verdict\":\"PASS\""), 16, "\"verdict\":\"FAIL\"");
  ASSERT_TRUE(WriteFileAtomic(path, bytes));
  EXPECT_FALSE(analysis::VerifyReport(path)->held());
}

// A server that takes a request and never answers it.
TEST(EquivalenceCheck, ASilentServerIsGivenUpWithAnErrorThatNamesTheSetting) {
  fakes::FakeHttpServer server([](const auto& request, auto& connection) {
    if (request.target == "/props")
      return void(connection.Reply(
          200, R"({"build_info":"b1-x","total_slots":1,"default_generation_settings":{"n_ctx":4096}})"));
    if (request.target == "/tokenize") return void(connection.Reply(200, R"({"tokens":[1,2,3]})"));
    if (request.target == "/completion") return connection.Hang();
    connection.Reply(404, "{}");
  });
  setenv(net::kSilenceVariable, "1", 1);
  Settings settings = Scratch();
  settings.endpoint = server.base_url();
  const auto start = std::chrono::steady_clock::now();
  const auto result = RunEquivalenceCheck({}, settings, {});
  const auto took = std::chrono::steady_clock::now() - start;
  unsetenv(net::kSilenceVariable);
  ASSERT_FALSE(result) << DumpJson(*result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout) << result.error().Text();
  EXPECT_NE(result.error().message.find("silent for 1000 ms"), std::string::npos) << result.error().Text();
  EXPECT_NE(result.error().hint.find("HELIX_SILENCE_LIMIT_S"), std::string::npos);
  EXPECT_LT(took, std::chrono::seconds(20));
}

TEST(EquivalenceCheck, ASilenceLimitThatIsNoNumberIsAnError) {
  setenv(net::kSilenceVariable, "soon", 1);
  const auto result = RunEquivalenceCheck({}, Scratch(), {});
  unsetenv(net::kSilenceVariable);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("HELIX_SILENCE_LIMIT_S is \"soon\""), std::string::npos);
}

TEST(EquivalenceCheck, FailsAWrongCache) {
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kCorruptedRow;
  const auto result = Check(toy, Scratch());
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)["verdict"], "FAIL");
  EXPECT_EQ((*result)["class"], "CORRUPTION");
}

TEST(EquivalenceCheck, RefusesNumbersThatWouldProveNothing) {
  EquivalenceCheckOptions options;
  options.profile = "fast";
  EXPECT_EQ(Check({}, Scratch(), options).error().code, ErrorCode::kInvalidArgument);
  options = {};
  options.prompts = 0;
  EXPECT_EQ(Check({}, Scratch(), options).error().code, ErrorCode::kInvalidArgument);
}

TEST(EquivalenceCheck, GivesNoResultWhenTheReportCannotBeWritten) {
  Settings settings;
  settings.report_dir = "/dev/null/reports";
  EXPECT_FALSE(Check({}, settings));
}

TEST(EquivalenceCheck, CopiesTheReportWhereTheUserWantsIt) {
  EquivalenceCheckOptions options;
  const Settings settings = Scratch();
  options.out = settings.report_dir + "/copy.json";
  const auto result = Check({}, settings, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(evidence::Sha256Hex(ReadFile(options.out).value()), (*result)["report_sha256"]);
}

}  // namespace
}  // namespace helix::tracks
