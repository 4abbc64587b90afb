// Which detector explains a change of the system text, and which changes no detector may claim.
#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "core/consistency/case_diagnosis.h"
#include "tests/core/consistency/bodies.h"

namespace helix::consistency {
namespace {

struct Change {
  const char* before;
  const char* after;
  const char* verdict;
};

std::string VerdictOf(const std::string& before, const std::string& after) {
  const auto [a, b] = WithSystem("Rules first.\n" + before, "Rules first.\n" + after);
  const auto result = DiagnoseCase(Json{{"kind", "request_pair"}, {"input", {{"a", a}, {"b", b}}}}, {});
  return result ? StringAt(*result, "verdict").value_or("") : result.error().Text();
}

void Check(const std::vector<Change>& changes) {
  for (const Change& change : changes)
    EXPECT_EQ(VerdictOf(change.before, change.after), change.verdict)
        << change.before << " -> " << change.after;
}

TEST(TextChange, AClockIsATimestamp) {
  Check({{"Now: 2026-06-09T23:59:58Z", "Now: 2026-06-10T00:00:03Z", "VOLATILE_TIMESTAMP"},
         {"It is 3:04 PM.", "It is 3:05 PM.", "VOLATILE_TIMESTAMP"},
         {"Current time: Tue Jun  9 15:04:20 2026", "Current time: Wed Jun 10 09:00:00 2026",
          "VOLATILE_TIMESTAMP"},
         {"ts=1781017460", "ts=1781017499", "VOLATILE_TIMESTAMP"},
         {"<now>20260609T150420Z</now>", "<now>20260609T150511Z</now>", "VOLATILE_TIMESTAMP"},
         {"last build 4 minutes ago", "last build 9 minutes ago", "VOLATILE_TIMESTAMP"},
         {"Time: 9:59:58", "Time: 10:00:01", "VOLATILE_TIMESTAMP"}});
}

TEST(TextChange, ADateWithoutATimeIsADate) {
  Check({{"Today's date is 2026-06-09.", "Today's date is 2026-06-10.", "VOLATILE_DATE"},
         {"Today: Tuesday, June 9, 2026", "Today: Wednesday, June 10, 2026", "VOLATILE_DATE"},
         {"Date: 09.06.2026", "Date: 10.06.2026", "VOLATILE_DATE"},
         {"Date: 9 June 2026", "Date: 1 July 2026", "VOLATILE_DATE"},
         {"Date: 2026-06-30\nOffice hours 9:00 to 17:00", "Date: 2026-07-01\nOffice hours 9:00 to 17:00",
          "VOLATILE_DATE"}});
}

TEST(TextChange, AGeneratedIdentifierIsAnId) {
  Check({{"Session 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "Session 7c9e6679-7425-40de-944b-e07fc1f90ae7",
          "VOLATILE_ID"},
         {"build a1b2c3d4e5f6", "build 99b2c3d4e5f7", "VOLATILE_ID"},
         {"Scratch folder: /tmp/agent-x81kq/work", "Scratch folder: /tmp/agent-p02ma/work", "VOLATILE_ID"},
         {"session_id: 48213", "session_id: 48219", "VOLATILE_ID"},
         {"thread=thr_9fK2mQ81", "thread=thr_2aB7xZ40", "VOLATILE_ID"}});
}

TEST(TextChange, ASnapshotOfGitIsGitStatus) {
  Check({{"gitStatus: snapshot\n\nStatus:\n M src/x.c\n?? notes.txt",
          "gitStatus: snapshot\n\nStatus:\n M src/x.c\n M src/y.c\n?? notes.txt", "VOLATILE_GIT_STATUS"},
         {"Current branch: main\n", "Current branch: fix-142\n", "VOLATILE_GIT_STATUS"},
         {"Recent commits:\n1a2b3c4 Add tests\n",
          "Recent commits:\n9f8e7d6 Fix the build\n1a2b3c4 Add tests\n", "VOLATILE_GIT_STATUS"},
         {"git status:\nnothing to commit", "git status:\n M README.md", "VOLATILE_GIT_STATUS"}});
}

TEST(TextChange, ThePastedContentOfAFileIsAnEmbeddedFile) {
  Check({{"Contents of /srv/notes/NOTES.md:\n- buy milk\n",
          "Contents of /srv/notes/NOTES.md:\n- buy milk\n- call home\n", "VOLATILE_EMBEDDED_FILE"},
         {"<file path=\"plan.txt\">\nstep one\n</file>",
          "<file path=\"plan.txt\">\nstep one and two\n</file>", "VOLATILE_EMBEDDED_FILE"},
         {"# MEMORY.md\nprefers tabs", "# MEMORY.md\nprefers spaces", "VOLATILE_EMBEDDED_FILE"},
         {"Project layout:\nsrc/\n  a.c", "Project layout:\nsrc/\n  a.c\n  b.c", "VOLATILE_EMBEDDED_FILE"}});
}

TEST(TextChange, TheAttributionLineIsRecognisedWhereverItStands) {
  Check({{"x-anthropic-billing-header: cc_version=2.1.40.1a2; cc_entrypoint=cli; cch=00001;",
          "x-anthropic-billing-header: cc_version=2.1.40.9f3; cc_entrypoint=cli; cch=ab12f;",
          "VOLATILE_ATTRIBUTION"},
         {"X-Anthropic-Billing-Header: cc_version=3.0.1; cch=12345;",
          "X-Anthropic-Billing-Header: cc_version=3.0.1; cch=54321;", "VOLATILE_ATTRIBUTION"},
         {"x-anthropic-billing-header: cch=1;", "Be brief.", "VOLATILE_ATTRIBUTION"}});
}

TEST(TextChange, AnOrdinaryEditIsNobodysClock) {
  Check({{"Answer in English.", "Answer in French.", "SYSTEM_CHANGED"},
         {"Use git status before you commit. Be kind.", "Use git status before you commit. Be brief.",
          "SYSTEM_CHANGED"},
         {"You may (sometimes) ask.", "You must (always) ask.", "SYSTEM_CHANGED"},
         {"<file path=\"a.txt\">\nx\n</file>\nBe kind.", "<file path=\"a.txt\">\nx\n</file>\nBe brief.",
          "SYSTEM_CHANGED"},
         {"You have 3 tools.", "You have 4 tools.", "SYSTEM_CHANGED"},
         {"The build ran at 10:00:00 and passed.", "The build ran at 10:00:00 and failed.", "SYSTEM_CHANGED"},
         {"Prefer sunshine.", "Prefer moonlight.", "SYSTEM_CHANGED"},
         {"Since 2019 we use tabs here.", "Since 2019 we use spaces here.", "SYSTEM_CHANGED"}});
}

TEST(TextChange, ACounterIsNamedAsOne) {
  const auto [a, b] = WithSystem("Step 3 of 50", "Step 4 of 50");
  const auto result = DiagnoseCase(Json{{"kind", "request_pair"}, {"input", {{"a", a}, {"b", b}}}}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(StringAt(*result, "verdict"), "SYSTEM_CHANGED");
  EXPECT_EQ(StringAt(*result, "cause/detector"), "counter");
}

}  // namespace
}  // namespace helix::consistency
