// Diagnosis against a real llama-server: what its own template and tokenizer predict is what it then reports.
#include <gtest/gtest.h>

#include "core/backend/managed_llama_server.h"
#include "core/backend/server_files.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/consistency/server_kind.h"
#include "core/experiment/text_source.h"
#include "tests/live/demo_server.h"
#include "tests/live/program.h"
#include "tests/support/paths.h"

namespace helix::live {
namespace {

class DiagnosisLive : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = StartDemoServer();
    ASSERT_TRUE(started) << started.error().Text();
    server_.emplace(std::move(*started));
  }

  // cache_n of one chat turn of one token.
  std::int64_t Cached(const Json& body) {
    net::HttpClient client(server_->base_url());
    Json sent = body;
    sent["max_tokens"] = 1;
    sent["cache_prompt"] = true;
    const auto reply = consistency::Ask(client, "POST", "/v1/chat/completions", &sent, "", {});
    EXPECT_TRUE(reply) << reply.error().Text();
    if (!reply) return -1;
    EXPECT_EQ(reply->status, 200) << reply->text.substr(0, 300);
    return IntAt(reply->body, "timings/cache_n").value_or(-1);
  }

  // An unrelated prompt takes the slot, so that nothing of an earlier pair is left.
  void Forget() {
    Cached({{"messages", Json::array({{{"role", "user"},
                                       {"content", std::to_string(++forgotten_) + " something else"}}})}});
  }

  Json Diagnose(const Json& a, const Json& b) {
    const std::string dir = testing_support::ScratchDir();
    EXPECT_TRUE(WriteFileAtomic(dir + "/A.json", DumpJson(a)));
    EXPECT_TRUE(WriteFileAtomic(dir + "/B.json", DumpJson(b)));
    const ProgramRun run = RunProgram("diagnose-miss " + dir + "/A.json " + dir +
                                      "/B.json --json --endpoint " + server_->base_url());
    auto json = ParseJson(run.out);
    EXPECT_TRUE(json) << run.out;
    return json ? *json : Json::object();
  }

  struct Seen {
    Json diagnosis;
    std::int64_t cached = 0;   // reported for b after a
    std::int64_t healthy = 0;  // reported for the same b after an a that differs in nothing
  };
  // The lost tokens are a difference of two counts of the server: b after the matching first turn, b after a.
  Seen Pair(const Json& a, const Json& b, const Json& matching_a) {
    Seen seen;
    seen.diagnosis = Diagnose(a, b);
    Forget();
    Cached(matching_a);
    seen.healthy = Cached(b);
    Forget();
    Cached(a);
    seen.cached = Cached(b);
    return seen;
  }

  std::optional<backend::ManagedLlamaServer> server_;
  int forgotten_ = 0;
};

Json Tool(const std::string& name) {
  return {{"type", "function"},
          {"function",
           {{"name", name},
            {"description", "Does what " + name + " says."},
            {"parameters", {{"type", "object"}, {"properties", {{"path", {{"type", "string"}}}}}}}}}};
}

Json Body(const std::string& clock, const std::vector<std::string>& tools, int turns) {
  experiment::TextSource text(5);
  Json body{{"model", "m"}};
  for (const std::string& name : tools) body["tools"].push_back(Tool(name));
  const std::string system = text.Text(400) + "It is " + clock + ". " + text.Text(300);
  body["messages"] = Json::array({{{"role", "system"}, {"content", system}}});
  for (int i = 0; i < turns; ++i) {
    body["messages"].push_back({{"role", "user"}, {"content", text.Text(120)}});
    if (i + 1 < turns) body["messages"].push_back({{"role", "assistant"}, {"content", text.Text(60)}});
  }
  return body;
}

TEST_F(DiagnosisLive, NothingDiffersAndNothingIsLost) {
  const Json a = Body("2026-12-01 10:00:01", {"read_file", "edit_file"}, 1);
  const Json b = Body("2026-12-01 10:00:01", {"read_file", "edit_file"}, 2);
  const Seen seen = Pair(a, b, a);
  EXPECT_EQ(StringAt(seen.diagnosis, "verdict"), "OK_APPEND_ONLY") << seen.diagnosis.dump(1);
  EXPECT_EQ(IntAt(seen.diagnosis, "template/predicted_cached"), seen.cached);
  EXPECT_EQ(IntAt(seen.diagnosis, "lost/tokens"), seen.healthy - seen.cached);
  EXPECT_EQ(seen.healthy, seen.cached);
  RecordProperty("cached", std::to_string(seen.cached));
}

TEST_F(DiagnosisLive, AClockLosesWhatIsPredictedToTheToken) {
  const Json a = Body("2026-12-01 10:00:01", {"read_file", "edit_file"}, 1);
  const Json b = Body("2026-12-01 10:00:09", {"read_file", "edit_file"}, 2);
  const Seen seen = Pair(a, b, Body("2026-12-01 10:00:09", {"read_file", "edit_file"}, 1));
  EXPECT_EQ(StringAt(seen.diagnosis, "verdict"), "VOLATILE_TIMESTAMP") << seen.diagnosis.dump(1);
  EXPECT_EQ(IntAt(seen.diagnosis, "template/predicted_cached"), seen.cached);
  EXPECT_EQ(IntAt(seen.diagnosis, "lost/tokens"), seen.healthy - seen.cached);
  EXPECT_GT(seen.healthy - seen.cached, 100);
  EXPECT_EQ(IntAt(seen.diagnosis, "divergence/token"), seen.cached);
}

TEST_F(DiagnosisLive, TheOrderOfToolsLosesWhatIsPredictedToTheToken) {
  const Json a = Body("2026-12-01 10:00:01", {"read_file", "edit_file"}, 1);
  const Json b = Body("2026-12-01 10:00:01", {"edit_file", "read_file"}, 2);
  const Seen seen = Pair(a, b, Body("2026-12-01 10:00:01", {"edit_file", "read_file"}, 1));
  EXPECT_EQ(StringAt(seen.diagnosis, "verdict"), "TOOLS_REORDERED") << seen.diagnosis.dump(1);
  EXPECT_EQ(IntAt(seen.diagnosis, "template/predicted_cached"), seen.cached);
  EXPECT_EQ(IntAt(seen.diagnosis, "lost/tokens"), seen.healthy - seen.cached);
  EXPECT_LT(seen.cached, seen.healthy);
}

}  // namespace
}  // namespace helix::live
