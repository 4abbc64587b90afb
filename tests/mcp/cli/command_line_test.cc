#include "mcp/cli/command_line.h"

#include <gmock/gmock.h>

#include <sstream>

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;

// Answers with the arguments that reached it, and with the verdict it was asked for.
Tool EchoTool() {
  Tool tool;
  tool.name = "echo_arguments";
  tool.subcommand = "echo-arguments";
  tool.description = "Show the arguments. Only tests use it.";
  tool.input_schema = *ParseJson(R"({"type":"object","properties":{
      "prefix_tokens":{"type":"integer","minimum":1,"maximum":4096},"managed":{"type":"boolean","default":false},
      "profile":{"type":"string","enum":["quick","standard"],"default":"quick"},
      "verdict":{"type":"string"},"files":{"type":"array","items":{"type":"string"}},
      "ratio":{"type":"number"},"out":{"type":"string"},"extra":{"type":"object"}}})");
  tool.cli_defaults = Json{{"profile", "standard"}};
  tool.positionals = {"files"};
  tool.handler = [](const Json& arguments, const Settings& settings, const RunContext&) -> Result<Json> {
    if (arguments.value("verdict", "") == "error")
      return Fail(ErrorCode::kIo, "the disk is full", "make room");
    Json result{{"seen", arguments}, {"report_dir", settings.report_dir}};
    if (arguments.contains("verdict")) result["verdict"] = arguments["verdict"];
    return result;
  };
  return tool;
}

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome RunProgram(std::vector<std::string> words) {
  const std::vector<Tool> tools = {EchoTool()};
  std::ostringstream out;
  std::ostringstream err;
  Settings settings;
  settings.report_dir = "from-environment";
  CommandLineContext context{
      tools, settings, out, err, false, {}, [](const ServeOptions& o, const Settings&) {
        return o.http == "127.0.0.1:0" ? 40 : 41;
      }};
  const int code = RunCommandLine(std::move(words), context);
  return {code, out.str(), err.str()};
}

std::string Seen(std::vector<std::string> words) {
  words.insert(words.begin(), "echo-arguments");
  words.emplace_back("--json");
  const auto outcome = RunProgram(std::move(words));
  auto parsed = ParseJson(outcome.out);
  return parsed ? DumpJson((*parsed)["seen"]) : "exit " + std::to_string(outcome.code) + ": " + outcome.err;
}

TEST(CommandLine, MakesFlagsFromTheSchema) {
  EXPECT_EQ(Seen({"--prefix-tokens", "512", "--managed", "--ratio=1.5", "--profile", "quick"}),
            R"({"prefix_tokens":512,"profile":"quick","ratio":1.5,"managed":true})");
}

TEST(CommandLine, HasDefaultsOfItsOwn) {
  EXPECT_EQ(Seen({}), R"({"managed":false,"profile":"standard"})");
}

TEST(CommandLine, KnowsQuickAsAShortForm) {
  EXPECT_THAT(Seen({"--quick"}), HasSubstr(R"("profile":"quick")"));
}

TEST(CommandLine, TakesBareWordsAsPositionals) {
  EXPECT_THAT(Seen({"a.json", "b.json"}), HasSubstr(R"("files":["a.json","b.json"])"));
  EXPECT_THAT(Seen({"--files", "a.json", "--files", "b.json"}), HasSubstr(R"("files":["a.json","b.json"])"));
}

TEST(CommandLine, TakesArgumentsAsJsonAndLetsSingleFlagsWin) {
  EXPECT_THAT(Seen({"--args", R"({"prefix_tokens":7,"extra":{"k":[1]}})", "--prefix-tokens", "9"}),
              HasSubstr(R"({"prefix_tokens":9,"extra":{"k":[1]})"));
  EXPECT_THAT(Seen({"--no-managed", "--extra", R"({"a":1})"}), HasSubstr(R"("extra":{"a":1})"));
}

TEST(CommandLine, PrintsLinesWithoutJsonWhereAToolHasNoFormOfItsOwn) {
  EXPECT_THAT(RunProgram({"echo-arguments", "--profile", "quick"}).out, HasSubstr("  profile: quick\n"));
}

TEST(CommandLine, ExitsByTheVerdict) {
  const std::pair<const char*, int> cases[] = {
      {"PASS", 0}, {"FAIL", 1}, {"INCONCLUSIVE", 3}, {"SKIP", 77}, {"VOLATILE_DATE", 0}};
  for (const auto& [verdict, code] : cases)
    EXPECT_EQ(RunProgram({"echo-arguments", "--verdict", verdict}).code, code) << verdict;
}

TEST(CommandLine, ExitsWithTwoOnBadUse) {
  EXPECT_EQ(RunProgram({}).code, 2);
  EXPECT_EQ(RunProgram({"no-such-command"}).code, 2);
  EXPECT_EQ(RunProgram({"echo-arguments", "--no-such-flag"}).code, 2);
  EXPECT_EQ(RunProgram({"echo-arguments", "--args", "[1]"}).code, 2);
  const auto range = RunProgram({"echo-arguments", "--prefix-tokens", "0"});
  EXPECT_EQ(range.code, 2);
  EXPECT_THAT(range.err, HasSubstr("an integer from 1 to 4096"));
  EXPECT_THAT(RunProgram({"echo-arguments", "--prefix-tokens", "many"}).err,
              HasSubstr("--prefix-tokens must be an integer"));
}

TEST(CommandLine, SaysWhatWentWrongAndWhatToDo) {
  const auto outcome = RunProgram({"echo-arguments", "--verdict", "error", "--json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "error: the disk is full (make room)\n");
  auto parsed = ParseJson(outcome.out);
  ASSERT_TRUE(parsed);
  EXPECT_EQ((*parsed)["error"]["code"], "io");
}

TEST(CommandLine, SaysBeforeTheRunThatItsCopyCannotBeWritten) {
  const auto outcome = RunProgram({"echo-arguments", "--out", "/dev/null/copy.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "") << "the tool must not have run";
  EXPECT_THAT(outcome.err, HasSubstr("/dev/null is not a folder"));
}

TEST(CommandLine, DoesNotPassAVerdictThatCouldNotBeWritten) {
  const std::vector<Tool> tools = {EchoTool()};
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  CommandLineContext context{tools, Settings{}, out, err, false, {}, {}};
  EXPECT_EQ(RunCommandLine({"echo-arguments", "--verdict", "PASS"}, context), 2);
  EXPECT_THAT(err.str(), HasSubstr("could not be written"));
}

TEST(CommandLine, PutsTheReportFolderIntoTheSettings) {
  EXPECT_THAT(RunProgram({"echo-arguments"}).out, HasSubstr("from-environment"));
  EXPECT_THAT(RunProgram({"echo-arguments", "--report-dir", "/tmp/elsewhere"}).out,
              HasSubstr("/tmp/elsewhere"));
}

TEST(CommandLine, ServesAndPrintsItsVersionAndTools) {
  EXPECT_EQ(RunProgram({"serve", "--http", "127.0.0.1:0"}).code, 40);
  EXPECT_EQ(RunProgram({"serve"}).code, 41);
  EXPECT_THAT(RunProgram({"--version"}).out, HasSubstr("helix-perf-cache " HELIX_VERSION));
  EXPECT_THAT(RunProgram({"--print-tools", "markdown"}).out,
              HasSubstr("| `echo_arguments` | `echo-arguments` | Show the arguments. |"));
  EXPECT_THAT(RunProgram({"echo-arguments", "--help"}).out, HasSubstr("--prefix-tokens"));
}

}  // namespace
}  // namespace helix::mcp
