// JSON-RPC lines, whatever the bytes and however they are split: every message has exactly one end, an answer
// is JSON on one line, and a notification gets none.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/base/json_fields.h"
#include "mcp/protocol/dispatcher.h"
#include "mcp/protocol/tool_adapter.h"
#include "mcp/transport/line_reader.h"
#include "tests/fuzz/require.h"

namespace {

using namespace helix;
using namespace helix::mcp;

class Checking : public Outbox {
 public:
  ~Checking() override { HELIX_REQUIRE(ended == 1); }
  void Send(std::string message) override { Check(message); }
  void Reply(std::string message, int) override {
    HELIX_REQUIRE(!silent);
    Check(message);
    ++ended;
  }
  void Nothing() override { ++ended; }

  int ended = 0;
  bool silent = false;  // what came is a notification

 private:
  void Check(const std::string& message) const {
    HELIX_REQUIRE(ended == 0);
    HELIX_REQUIRE(message.find('\n') == std::string::npos);
    HELIX_REQUIRE(ParseJson(message).has_value());
  }
};

class OneResource : public ResourceSource {
 public:
  std::vector<Json> List() override { return {Json{{"uri", "test://one"}, {"name", "one"}}}; }
  std::vector<Json> Templates() override { return {}; }
  Result<Json> Read(const std::string& uri) override {
    if (uri != "test://one") return Fail(ErrorCode::kNotFound, "no such resource");
    return Json::array({Json{{"uri", uri}, {"text", "one"}}});
  }
  std::vector<std::string> Complete(const std::string&, const std::string&,
                                    const std::string& prefix) override {
    return {prefix + "!"};
  }
};

Catalog SmallCatalog() {
  Tool tool;
  tool.name = "echo";
  tool.input_schema = *ParseJson(R"({"type":"object","properties":{"text":{"type":"string","maxLength":9,
      "x-mcp-header":"Text"},"n":{"type":"integer","minimum":1},"list":{"type":"array","items":{"type":"object",
      "properties":{"a":{"type":"boolean"}},"required":["a"]}}}})");
  tool.output_schema = *ParseJson(R"({"type":"object","properties":{"text":{"type":"string"}}})");
  tool.handler = [](const Json& arguments, const Settings&, const RunContext& run) -> Result<Json> {
    run.Report(1, 2, "half");
    return Json{{"text", StringAt(arguments, "text").value_or("")}};
  };
  Catalog catalog;
  catalog.tools.push_back(AdaptTool(tool, Settings{}));
  catalog.resources = std::make_shared<OneResource>();
  ServerPrompt prompt;
  prompt.listing = *ParseJson(R"({"name":"greet","arguments":[{"name":"who","required":true}]})");
  prompt.get = [](Call& call) -> RpcResult<Json> { return Json{{"messages", call.arguments}}; };
  catalog.prompts.push_back(prompt);
  return catalog;
}

bool IsNotification(std::string_view line) {
  auto message = ParseJson(line);
  return message && message->is_object() && message->contains("method") && (*message)["method"].is_string() &&
         !message->contains("id");
}

void Say(std::string_view line, const char* version, const Headers* headers) {
  static Dispatcher dispatcher(SmallCatalog(), [](const std::function<void()>& task) {
    task();
    return true;
  });
  const auto session = std::make_shared<Session>(false);
  if (version != nullptr) session->Initialized(version);
  const auto outbox = std::make_shared<Checking>();
  outbox->silent = headers == nullptr && IsNotification(line);
  dispatcher.Receive(session, line, outbox, headers);
  dispatcher.Stop(*session);
}

std::string Lines(std::string_view text, std::size_t piece) {
  std::string seen;
  LineReader reader([&](std::string_view line) { seen.append(line).push_back('\n'); },
                    [&] { seen += "too long\n"; }, 200);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) reader.Feed(text.substr(0, piece));
  reader.Finish();
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto whole = Lines(text, text.size() + 1);
  HELIX_REQUIRE(Lines(text, 1) == whole);
  HELIX_REQUIRE(Lines(text, 1 + size / 3) == whole);
  static const Headers modern{
      {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "echo"}};
  Say(text, nullptr, nullptr);
  Say(text, "2025-03-26", nullptr);
  Say(text, nullptr, &modern);
  return 0;
}
