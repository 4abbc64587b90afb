// The recorded cases and every form of input through the command line, as a script calls it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "mcp/cli/command_line.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

struct Answer {
  int code = -1;
  Json json;
  std::string err;
};

Answer Diagnose(std::vector<std::string> words) {
  std::ostringstream out;
  std::ostringstream err;
  const CommandLineContext context{AllTools(), {}, out, err, false, {}, {}};
  words.insert(words.begin(), "diagnose-miss");
  words.emplace_back("--json");
  Answer answer;
  answer.code = RunCommandLine(std::move(words), context);
  auto json = ParseJson(out.str());
  answer.json = json ? *json : Json();
  answer.err = err.str();
  return answer;
}

class DiagnoseMissCli : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    EXPECT_TRUE(WriteFileAtomic(path, text));
    return path;
  }
  std::string folder_ = testing_support::ScratchDir();
};

bool Same(const Json& expected, const Json* seen) {
  if (seen == nullptr) return false;
  if (expected.is_number() && seen->is_number())
    return std::fabs(expected.get<double>() - seen->get<double>()) < 5e-4;
  return expected == *seen;
}

// The cases name reply files by "../replies/...": the scratch folder gets the same neighbour.
std::vector<Json> RecordedCases() {
  std::ifstream file(testing_support::TestData("diagnosis/cases.jsonl"));
  std::vector<Json> cases;
  for (std::string line; std::getline(file, line);)
    if (auto one = ParseJson(line)) cases.push_back(*one);
  return cases;
}

Json WithFullPaths(Json one) {
  const auto full = [](const Json& name) {
    return Json(testing_support::TestData("diagnosis/" + name.get<std::string>()));
  };
  Json& input = one["input"];
  if (input.contains("file")) input["file"] = full(input["file"]);
  if (input.contains("files"))
    for (Json& name : input["files"]) name = full(name);
  return one;
}

TEST_F(DiagnoseMissCli, EveryRecordedCaseGetsItsVerdictThroughTheCommandLine) {
  const auto cases = RecordedCases();
  ASSERT_EQ(cases.size(), 40U);
  for (const Json& one : cases) {
    const std::string id = StringAt(one, "id").value_or("?");
    const Answer answer = Diagnose({"--case", File(id + ".json", DumpJson(WithFullPaths(one)))});
    ASSERT_EQ(answer.code, 0) << id << answer.err;
    for (const auto& [key, expected] : one["expect"].items()) {
      if (key == "hint" || key == "backend") continue;
      EXPECT_TRUE(Same(expected, Find(answer.json, key))) << id << " " << key << ": expected " << expected;
    }
    if (one["kind"] == "request_pair") {
      EXPECT_TRUE(answer.json.contains("first_divergence")) << id;
    }
  }
}

TEST_F(DiagnoseMissCli, ComparesTwoBareFiles) {
  for (const Json& one : RecordedCases()) {
    if (one["kind"] != "request_pair") continue;
    std::vector<std::string> words = {File("A.json", DumpJson(one["input"]["a"])),
                                      File("B.json", DumpJson(one["input"]["b"]))};
    for (const char* flag : {"transform", "backend"})
      if (const auto value = StringAt(one, std::string("input/") + flag))
        words.insert(words.end(), {std::string("--") + flag, *value});
    const Answer answer = Diagnose(words);
    ASSERT_EQ(answer.code, 0) << one["id"] << answer.err;
    if (Find(one["input"], "usage_b") || one["expect"].contains("backend"))
      continue;  // facts beyond two bodies
    EXPECT_EQ(answer.json["verdict"], one["expect"]["verdict"]) << one["id"];
    EXPECT_EQ(answer.json["first_divergence"], one["expect"]["first_divergence"]) << one["id"];
  }
}

TEST_F(DiagnoseMissCli, ReadsAReplyFile) {
  const Answer silent = Diagnose({"--reply", testing_support::TestData("replies/vllm_details_null.json")});
  EXPECT_EQ(silent.json["verdict"], "REPORTING_OFF") << silent.err;
  const Answer hit = Diagnose({"--reply", testing_support::TestData("replies/deepseek_hit.json")});
  EXPECT_EQ(hit.json["verdict"], "OK_PARTIAL_HIT") << hit.err;
}

TEST_F(DiagnoseMissCli, ReadsALogFile) {
  for (const Json& one : RecordedCases()) {
    if (one["kind"] != "log") continue;
    std::string text;
    for (const Json& line : one["input"]["log"]) text += line.get<std::string>() + "\n";
    const Answer answer = Diagnose({"--log", File("server.log", text)});
    EXPECT_EQ(answer.json["verdict"], one["expect"]["verdict"]) << one["id"] << answer.err;
  }
}

TEST_F(DiagnoseMissCli, SaysWhatIsWrongWithItsInput) {
  const std::string body = File("A.json", R"({"model":"m","messages":[]})");
  EXPECT_EQ(Diagnose({}).code, 2);
  EXPECT_EQ(Diagnose({body}).code, 2);
  EXPECT_EQ(Diagnose({body, folder_ + "/none.json"}).code, 2);
  EXPECT_EQ(Diagnose({body, File("B.json", "{\"model\":")}).code, 2);
  EXPECT_EQ(Diagnose({body, File("B.json", "[1,2]")}).code, 2);
  EXPECT_EQ(Diagnose({"--case", File("c.json", R"({"kind":"dream","input":{}})")}).code, 2);
  EXPECT_EQ(Diagnose({"--case", File("c.json", "null")}).code, 2);
  EXPECT_NE(Diagnose({body, File("B.json", "[1,2]")}).err.find("expected"), std::string::npos);
}

// Whatever a body holds, the answer is a verdict or an error with a code, never a crash.
TEST_F(DiagnoseMissCli, SurvivesBodiesOfEveryWrongType) {
  const std::vector<std::string> odd = {
      R"({"messages":5})",
      R"({"messages":[null,7,"x",[]]})",
      R"({"messages":[{"role":9,"content":{"a":1}}]})",
      R"({"system":[1,{"text":5}],"messages":[{"role":"user","content":[5,null,{"type":1}]}]})",
      R"({"tools":{"a":1},"messages":[]})",
      R"({"tools":[1,null,{"name":4,"input_schema":[]}],"messages":[]})",
      R"({"prompt":[1,"a",null]})",
      R"({"input":[{"type":"message"}],"instructions":4})",
      R"({"model":[],"messages":[{"role":"assistant","tool_calls":[{"function":3},4]}]})",
      "{\"messages\":[{\"role\":\"user\",\"content\":\"\\ud800\"}]}",
      R"({"messages":[{"role":"user","content":[{"type":"text","cache_control":7}]}],"system":null})"};
  for (const std::string& a : odd)
    for (const std::string& b : odd) {
      const Answer answer = Diagnose({File("A.json", a), File("B.json", b)});
      EXPECT_TRUE(answer.code == 0 || answer.code == 2) << a << "\n" << b;
      if (answer.code == 0) {
        EXPECT_FALSE(StringAt(answer.json, "verdict").value_or("").empty()) << a << b;
      }
    }
}

TEST_F(DiagnoseMissCli, SurvivesRepliesAndLogsThatAreGarbage) {
  const std::string bytes("\xff\xfe\0\x01 n_past = \xc3\x28 99999999999999999999999\n", 42);
  for (const char* flag : {"--reply", "--log"}) {
    for (const std::string& text :
         {std::string(), bytes, std::string(300'000, '['), std::string("data: {\"usage\":"),
          std::string("{\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":1e400}}")}) {
      const Answer answer = Diagnose({flag, File("x", text)});
      EXPECT_TRUE(answer.code == 0 || answer.code == 2) << flag << " " << text.substr(0, 40);
    }
  }
}

}  // namespace
}  // namespace helix::mcp
