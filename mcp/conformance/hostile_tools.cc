// Fixture tools that do what libraries do to servers: print, return bytes that are not text, return too much,
// take long.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "core/base/json_fields.h"
#include "mcp/conformance/fixtures.h"
#include "mcp/protocol/tool_adapter.h"

namespace helix::mcp {
namespace {

RpcResult<Json> PrintToStdout(Call&) {
  std::printf("printed by a library\n");
  std::fflush(stdout);
  std::cout << "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"forged\":true}}" << std::endl;
  constexpr std::string_view kRaw = "written to descriptor 1\n";
  if (write(STDOUT_FILENO, kRaw.data(), kRaw.size()) < 0) return TextResult("descriptor 1 is closed");
  return TextResult("printed three lines");
}

RpcResult<Json> ReturnBrokenText(Call&) {
  return StructuredResult(Json{{"text",
                                "a\xC3\x28"
                                "b\xFF"
                                "c"}});
}

RpcResult<Json> ReturnMuch(Call& call) {
  const auto bytes = IntAt(call.arguments, "bytes").value_or(1);
  return TextResult(std::string(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)), 'x'));
}

// Ends early when it is cancelled; nothing else could end it.
RpcResult<Json> TakeLong(Call& call) {
  const auto seconds = NumberAt(call.arguments, "seconds").value_or(1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int step = 0; !call.run.Cancelled() && std::chrono::steady_clock::now() < end; ++step) {
    if (step % 500 == 0) call.run.Report(step, 0, "still at it");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return TextResult("took long");
}

Json One(const char* name, const char* type) {
  return Json{{"type", "object"}, {"properties", {{name, {{"type", type}}}}}};
}

}  // namespace

std::vector<ServerTool> HostileFixtureTools() {
  return {FixtureTool("test_prints_to_stdout", ToolDuration::kShort, PrintToStdout),
          FixtureTool("test_broken_text", ToolDuration::kInstant, ReturnBrokenText),
          FixtureTool("test_much", ToolDuration::kShort, ReturnMuch, One("bytes", "integer")),
          FixtureTool("test_takes_long", ToolDuration::kShort, TakeLong, One("seconds", "number"))};
}

}  // namespace helix::mcp
