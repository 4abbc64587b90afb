#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/consistency/session_diagnosis.h"
#include "tests/support/paths.h"

namespace helix::consistency {
namespace {

std::string Line(const std::string& id, const std::string& time, int read, int write, int out,
                 const std::string& model = "claude-sonnet-4-5") {
  return R"({"type":"assistant","sessionId":"s1","isSidechain":false,"timestamp":")" + time +
         R"(","requestId":"req_)" + id + R"(","message":{"id":"msg_)" + id + R"(","model":")" + model +
         R"(","content":[{"type":"text","text":"\"usage\":{\"input_tokens\":9}"}],"usage":{"input_tokens":3,"cache_read_input_tokens":)" +
         std::to_string(read) + R"(,"cache_creation_input_tokens":)" + std::to_string(write) +
         R"(,"cache_creation":{"ephemeral_5m_input_tokens":)" + std::to_string(write) +
         R"(,"ephemeral_1h_input_tokens":0},"output_tokens":)" + std::to_string(out) + "}}}\n";
}

Result<Json> Diagnose(const std::string& text) {
  const std::string path = testing_support::ScratchDir() + "/log.jsonl";
  EXPECT_TRUE(WriteFileAtomic(path, text));
  return DiagnoseSessions({{path}, "", 200}, cost::PriceTable::BuiltIn(), {});
}

TEST(SessionLog, CountsEachReplyOnceAndTakesItsLastOutput) {
  const auto report = Diagnose(R"({"type":"user","toolUseResult":{"usage":{"input_tokens":77}}})"
                               "\n" +
                               Line("1", "2026-10-01T10:00:00.000Z", 0, 4000, 1) +
                               Line("1", "2026-10-01T10:00:01.000Z", 0, 4000, 50) +
                               Line("2", "2026-10-01T10:01:00.000Z", 4000, 100, 7) + "not json \"usage\"\n");
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(IntAt(*report, "turn_count"), 2);
  EXPECT_EQ(IntAt(*report, "repeated_lines"), 1);
  EXPECT_EQ(IntAt(*report, "unreadable_lines"), 1);
  EXPECT_EQ(IntAt(*report, "totals/read"), 4000);
  EXPECT_EQ(IntAt(*report, "totals/written_5m"), 4100);
  EXPECT_EQ(IntAt(*report, "totals/uncached"), 6);
  EXPECT_EQ(IntAt(*report, "totals/output"), 57);
  EXPECT_EQ(StringAt(*report, "verdict"), "OK_PARTIAL_HIT");
}

TEST(SessionLog, NamesWhereReuseBrokeAndWhatItLost) {
  const auto report =
      Diagnose(Line("1", "2026-10-01T10:00:00Z", 0, 9000, 1) + Line("2", "2026-10-01T10:06:00Z", 0, 9100, 1) +
               Line("3", "2026-10-01T10:06:30Z", 9100, 50, 1) +
               Line("4", "2026-10-01T10:07:00Z", 0, 9000, 1, "claude-opus-4-5"));
  ASSERT_TRUE(report);
  EXPECT_EQ(IntAt(*report, "break_count"), 2);
  EXPECT_EQ(IntAt(*report, "lost_tokens"), 9000 + 9150);
  EXPECT_EQ(StringAt((*report)["breaks"][0], "verdict"), "MODEL_CHANGED");
  EXPECT_EQ(StringAt((*report)["breaks"][1], "verdict"), "TTL_EXPIRED");
}

TEST(SessionLog, AnUnexplainedBreakIsUnconfirmed) {
  const auto report =
      Diagnose(Line("1", "2026-10-01T10:00:00Z", 0, 9000, 1) + Line("2", "2026-10-01T10:00:30Z", 0, 9100, 1));
  ASSERT_TRUE(report);
  EXPECT_EQ(StringAt(*report, "verdict"), "UNCONFIRMED");
  EXPECT_EQ(IntAt(*report, "lost_tokens"), 9000);
}

TEST(SessionLog, RefusesAFolderWithoutLogs) {
  EXPECT_FALSE(DiagnoseSessions({{testing_support::ScratchDir()}, "", 200}, cost::PriceTable::BuiltIn(), {}));
  EXPECT_FALSE(DiagnoseSessions({{"/no/such/file.jsonl"}, "", 200}, cost::PriceTable::BuiltIn(), {}));
}

std::string Exchange(const std::string& system, const std::string& user, int read) {
  return R"({"capture":"helix.capture/1","started_at":"x","complete":true,"request":{"method":"POST","path":"/v1/messages","body":{"model":"m","system":")" +
         system + R"(","messages":[{"role":"user","content":")" + user +
         R"("}]}},"response":{"status":200,"body":{"id":"msg_1","type":"message","usage":{"input_tokens":10,"cache_read_input_tokens":)" +
         std::to_string(read) +
         R"(,"output_tokens":1}}}})"
         "\n";
}

TEST(Capture, NamesTheBreakBetweenTwoRequests) {
  const auto report =
      Diagnose(Exchange("It is 10:00:01.", "hello", 0) + Exchange("It is 10:00:09.", "hello", 4));
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(StringAt(*report, "source"), "capture");
  EXPECT_EQ(StringAt(*report, "verdict"), "VOLATILE_TIMESTAMP");
  EXPECT_EQ(IntAt(*report, "totals/read"), 4);
  EXPECT_EQ(StringAt((*report)["breaks"][0], "first_divergence"), "/system");
}

TEST(Capture, ALastLineThatIsCutIsLeftOutAndSaid) {
  const std::string whole = Exchange("a", "b", 0) + Exchange("a", "b", 7);
  const auto report = Diagnose(whole + Exchange("a", "b", 9).substr(0, 100));
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(BoolAt(*report, "torn_last_line"), true);
  EXPECT_EQ(IntAt(*report, "exchanges"), 2);
}

TEST(Capture, AReplyThatCountsNoPromptTokensReportsNone) {
  const auto report = Diagnose(
      R"({"capture":"helix.capture/1","request":{"path":"/v1/messages","body":{"messages":[{"role":"user","content":"hi"}]}},)"
      R"("response":{"status":200,"body":{"id":"msg_1","type":"message","usage":{"input_tokens":0,"cache_read_input_tokens":0,"output_tokens":3}}}})"
      "\n");
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_TRUE((*report)["turns"][0]["read"].is_null()) << "not reported is not zero";
  EXPECT_EQ((*report)["turns"][0]["output"], 3);
}

TEST(SessionLog, ALogThatSpeaksOfTheCaptureFormatIsStillALog) {
  const auto report = Diagnose(R"({"type":"user","message":{"content":"what is helix.capture/1?"}})"
                               "\n" +
                               Line("1", "2026-10-01T10:00:00Z", 0, 4000, 1));
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(IntAt(*report, "turn_count"), 1);
}

TEST(SessionLog, LogsAndCapturesMixedAreRefused) {
  const std::string dir = testing_support::ScratchDir();
  ASSERT_TRUE(WriteFileAtomic(dir + "/a.jsonl", Exchange("a", "b", 0)));
  ASSERT_TRUE(WriteFileAtomic(dir + "/b.jsonl", Line("1", "2026-10-01T10:00:00Z", 0, 4000, 1)));
  EXPECT_FALSE(DiagnoseSessions({{dir}, "", 200}, cost::PriceTable::BuiltIn(), {}));
}

TEST(SessionLog, ACounterThatIsMissingIsNoBreakAndNoZero) {
  std::string silent = Line("2", "2026-10-01T10:00:30Z", 0, 0, 1);
  const std::string field = R"("cache_read_input_tokens":0,)";
  silent.erase(silent.find(field), field.size());
  const auto report = Diagnose(Line("1", "2026-10-01T10:00:00Z", 0, 9000, 1) + silent);
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(IntAt(*report, "break_count"), 0);
  EXPECT_TRUE((*report)["turns"][1]["read"].is_null());
}

TEST(SessionLog, WritesThatAreNotSplitByLifetimeHaveNoLifetimeAndNoPrice) {
  const auto unsplit = [](std::string line) {
    const auto from = line.find(R"("cache_creation":{)");
    return line.erase(from, line.find("},", from) + 2 - from);
  };
  const std::string first = unsplit(Line("1", "2026-10-01T10:00:00Z", 0, 9000, 1));
  const auto soon = Diagnose(first + unsplit(Line("2", "2026-10-01T10:06:00Z", 0, 9100, 1)));
  ASSERT_TRUE(soon) << soon.error().Text();
  EXPECT_EQ(StringAt((*soon)["breaks"][0], "verdict"), "UNCONFIRMED") << "an entry may live an hour";
  EXPECT_TRUE((*soon)["breaks"][0]["cost_usd"].is_null()) << soon->dump();
  const auto late = Diagnose(first + unsplit(Line("2", "2026-10-01T11:00:01Z", 0, 9100, 1)));
  ASSERT_TRUE(late);
  EXPECT_EQ(StringAt((*late)["breaks"][0], "verdict"), "TTL_EXPIRED");
  EXPECT_NE((*late)["breaks"][0]["fact"].get<std::string>().find("at most 3600 s"), std::string::npos);
}

TEST(SessionLog, SurvivesLinesOfEveryWrongKind) {
  const auto report =
      Diagnose(std::string(R"({"type":"assistant","message":{"usage":null}})"
                           "\n"
                           R"({"type":"assistant","message":{"usage":{"input_tokens":"x"}}})"
                           "\n"
                           R"({"type":"assistant","message":[],"x":{"usage":1}})"
                           "\n"
                           R"({"type":5,"message":{"usage":{"input_tokens":1}}})"
                           "\n\xff\xfe \"usage\"\n") +
               std::string(100'000, '[') + " \"usage\"\n{\"type\":\"assistant\",\"message\":{\"usage\":{");
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(IntAt(*report, "totals/read"), 0);
}

// A field asked of a line that was found broken while it was read went through a null pointer.
TEST(SessionLog, ALineThatBreaksOffInAStringIsUnreadableAndNoTurn) {
  const std::string whole = Line("1", "2026-10-01T10:00:00.000Z", 0, 4000, 1);
  const auto report = Diagnose(
      whole + R"({"type":"assistant","sessionId":"s","message":{"id":"m","model":"x","usage":{"input_tokens":3,"cache_rea)" "\n" +
      R"({"type":"assistant","message":{"id":"n","usage":{"input_tokens":3}},"requestId":"r)" "\n");
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(IntAt(*report, "unreadable_lines"), 2) << report->dump(2);
  EXPECT_EQ(IntAt(*report, "turn_count"), 1) << report->dump(2);
}

TEST(Capture, RefusesABrokenLine) {
  EXPECT_FALSE(Diagnose(Exchange("a", "b", 0) + "{\"capture\":\n"));
}

}  // namespace
}  // namespace helix::consistency
