#include "mcp/transport/stdio_server.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "tests/mcp/protocol/conversation.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;

// A server on two pipes or one socket pair, served by a thread.
class Stdio {
 public:
  explicit Stdio(bool sockets = false) : stdio_sockets_(sockets) {
    std::signal(SIGPIPE, SIG_IGN);
    int in[2];
    int out[2];
    if (sockets) {
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, in), 0);
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, out), 0);
    } else {
      EXPECT_EQ(pipe(in), 0);
      EXPECT_EQ(pipe(out), 0);
    }
    write_ = in[1];
    read_ = out[0];
    server_ = std::thread([this, r = in[0], w = out[1]] {
      Catalog catalog = TestCatalog();
      auto big = SmallTool("big", "{}", [](const Json&, const Settings&, const RunContext&) -> Result<Json> {
        return Json{{"text", std::string(100'000, 'x')}};
      });
      catalog.tools.push_back(AdaptTool(big, Settings{}));
      catalog.tools.back().call = [](Call&) -> RpcResult<Json> {
        return StructuredResult(Json{{"text", std::string(100'000, 'x')}});
      };
      Dispatcher dispatcher(catalog,
                            [this](std::function<void()> task) { return workers_.Submit(std::move(task)); });
      all_ended = ServeStdio(r, w, dispatcher, workers_, stop.get_token());
      ended = true;
      close(r);
      close(w);
      // The program leaves with _exit while calls run; here they use the dispatcher, which must outlive them.
      EXPECT_TRUE(workers_.WaitIdle(std::chrono::seconds(60)));
    });
  }
  ~Stdio() {
    CloseInput();
    CloseOutput();
    Join();
  }
  void Write(const std::string& text) {
    ASSERT_EQ(write(write_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // False when the server does not read any more.
  bool TryWrite(const std::string& text) {
    return write(write_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  // The next line, or "" after two seconds of silence or at the end.
  std::string Line(int patience_ms = 10000) {
    while (buffer_.find('\n') == std::string::npos) {
      pollfd wait{read_, POLLIN, 0};
      char bytes[4096];
      if (poll(&wait, 1, patience_ms) <= 0) return "";
      const auto n = read(read_, bytes, sizeof bytes);
      if (n <= 0) return "";
      buffer_.append(bytes, static_cast<std::size_t>(n));
    }
    const auto end = buffer_.find('\n');
    const auto line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
  }
  void CloseInput() { Close(write_); }
  void CloseOutput() { Close(read_); }
  void Join() {
    if (server_.joinable()) server_.join();
  }

  std::stop_source stop;
  bool all_ended = false;
  std::atomic<bool> ended{false};

 private:
  static void Close(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
  const bool stdio_sockets_;
  int write_ = -1;
  int read_ = -1;
  std::string buffer_;
  WorkerPool workers_;
  std::thread server_;
};

std::string CallLine(int id, const std::string& name) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         name + "\"}}\n";
}
std::string Ping(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})";
}
std::string Pong(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})";
}

TEST(StdioServer, ServesCrlfBlankLinesAndBytesOneByOne) {
  for (const bool sockets : {false, true}) {
    Stdio s(sockets);
    s.Write(Ping(1) + "\r\n\r\n\n" + Ping(2) + "\n");
    EXPECT_EQ(s.Line(), Pong(1));
    EXPECT_EQ(s.Line(), Pong(2));
    for (const char c : std::string(R"({"jsonrpc":"2.0","id":"é漢😀","method":"ping"})") + "\n")
      s.Write(std::string(1, c));
    EXPECT_EQ(s.Line(), R"({"jsonrpc":"2.0","id":"é漢😀","result":{}})");
  }
}

TEST(StdioServer, TakesALineOfAMegabyteAndSurvivesALongerOneThanItTakes) {
  Stdio s;
  std::thread writer([&] {
    s.Write(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":")" + std::string(1 << 20, 'x') +
            "\"}}\n");
    s.Write(std::string(17 << 20, 'y') + "\n" + Ping(2) + "\n");
  });
  EXPECT_EQ(s.Line(), Pong(1));
  EXPECT_THAT(s.Line(), HasSubstr("16 MiB"));
  EXPECT_EQ(s.Line(), Pong(2));
  writer.join();
}

TEST(StdioServer, KeepsParallelAnswersWholeWhenTheReaderIsSlow) {
  for (const bool sockets : {false, true}) {
    Stdio s(sockets);
    for (int i = 0; i < 16; ++i) s.Write(CallLine(i, "big"));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    s.Write(Ping(99) + "\n");
    int answers = 0;
    for (int i = 0; i < 17; ++i) {
      auto parsed = ParseJson(s.Line());
      ASSERT_TRUE(parsed) << i;
      answers += FindPath(*parsed, "result/structuredContent/text") != nullptr ? 1 : 0;
    }
    EXPECT_EQ(answers, 16);
  }
}

TEST(StdioServer, ReadsWhileAToolRunsAndStopsItWhenAsked) {
  Stdio s;
  s.Write(CallLine(1, "wait") + Ping(2) + "\n");
  EXPECT_EQ(s.Line(), Pong(2));
  s.Write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n" +
          Ping(3) + "\n");
  EXPECT_EQ(s.Line(), Pong(3));
  EXPECT_EQ(s.Line(100), "") << "a cancelled call gets no answer";
}

constexpr auto kSilence = std::chrono::milliseconds(600);  // longer than a script needs to end

TEST(StdioServer, EndsSoonAfterAClientHangsUp) {
  Stdio s;
  s.Write(CallLine(1, "wait") + Ping(2) + "\n");
  EXPECT_EQ(s.Line(), Pong(2));
  std::this_thread::sleep_for(kSilence);
  const auto start = SteadyNowNs();
  s.CloseInput();
  s.Join();
  EXPECT_LT(SteadyNowNs() - start, 900'000'000)
      << "250 ms for calls to end by themselves, and then cancelled";
  EXPECT_TRUE(s.all_ended);
}

TEST(StdioServer, WaitsForCallsWhenTheInputEndsWithItsLastMessage) {
  for (const bool sockets : {false, true}) {
    Stdio s(sockets);
    s.Write(CallLine(1, "wait") + Ping(2) + "\n");
    s.CloseInput();
    EXPECT_EQ(s.Line(), Pong(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_FALSE(s.ended) << "nobody else would ever answer this call";
    const auto start = SteadyNowNs();
    s.CloseOutput();
    s.Join();
    EXPECT_LT(SteadyNowNs() - start, 900'000'000) << "but when nobody reads, nobody waits";
  }
}

TEST(StdioServer, StopsWaitingForCallsOnASignal) {
  Stdio s;
  s.Write(CallLine(1, "wait"));
  s.CloseInput();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto start = SteadyNowNs();
  s.stop.request_stop();
  s.Join();
  EXPECT_LT(SteadyNowNs() - start, 900'000'000);
}

TEST(StdioServer, EndsAtOnceWhenNothingRuns) {
  Stdio s;
  s.Write(Ping(1) + "\n");
  EXPECT_EQ(s.Line(), Pong(1));
  const auto start = SteadyNowNs();
  s.CloseInput();
  s.Join();
  EXPECT_LT(SteadyNowNs() - start, 200'000'000);
}

TEST(StdioServer, HandsOutLongAnswersToASlowReaderAfterTheInputEnded) {
  Stdio s;
  for (int i = 0; i < 16; ++i) s.Write(CallLine(i, "big"));
  s.CloseInput();
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(ParseJson(s.Line())) << i;
}

TEST(StdioServer, StopsReadingAClientThatDoesNotReadItsAnswers) {
  Stdio s;
  const auto call = CallLine(1, "big");  // 100 kB of answer each
  std::atomic<int> written{0};
  std::thread flood([&] {
    for (int i = 0; i < 100'000 && s.TryWrite(call); ++i) ++written;
  });
  for (int before = -1; before != written;) {
    before = written;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  EXPECT_LT(written, 5'000) << "64 MiB of answers wait, and what fits into a pipe";
  s.CloseOutput();
  s.Join();
  flood.join();
}

TEST(StdioServer, AnswersWhatWasAskedBeforeTheInputEnded) {
  Stdio s;
  s.Write(CallLine(1, "step") + Ping(2));
  s.CloseInput();
  EXPECT_EQ(s.Line(), Pong(2)) << "a last line needs no LF";
  EXPECT_THAT(s.Line(), HasSubstr(R"("id":1)"));
}

TEST(StdioServer, EndsWhenStoppedAndWhenNobodyReads) {
  for (const bool sockets : {false, true}) {
    Stdio stopped(sockets);
    stopped.Write(CallLine(1, "wait"));
    stopped.stop.request_stop();
    stopped.Join();
    Stdio unread(sockets);
    unread.CloseOutput();
    unread.Join();
  }
}

}  // namespace
}  // namespace helix::mcp
