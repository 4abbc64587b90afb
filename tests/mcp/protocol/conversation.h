// A dispatcher with a few small tools, an executor that runs at once or on threads, and an outbox that
// records.
#pragma once
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/json.h"
#include "mcp/protocol/dispatcher.h"
#include "mcp/protocol/tool_adapter.h"

namespace helix::mcp {

// Thread-safe.
class RecordingOutbox : public Outbox {
 public:
  void Send(std::string message) override { Put(std::move(message)); }
  void Reply(std::string message, int http_status) override {
    status = http_status;
    Put(std::move(message));
    Finish();
  }
  void Nothing() override { Finish(); }
  std::stop_token Gone() override { return gone.get_token(); }

  bool WaitFinished(std::size_t times = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return finished_ >= times; });
  }
  bool WaitLines(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return lines_.size() >= count; });
  }
  std::vector<std::string> Lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

  std::stop_source gone;
  std::atomic<int> status{0};

 private:
  void Put(std::string message) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(message));
    changed_.notify_all();
  }
  void Finish() {
    const std::lock_guard lock(mutex_);
    ++finished_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::size_t finished_ = 0;
};

inline Tool SmallTool(const std::string& name, const char* properties, ToolHandler handler) {
  Tool tool;
  tool.name = name;
  tool.title = name;
  tool.description = "A tool of the tests.";
  tool.input_schema = Json{{"type", "object"}, {"properties", *ParseJson(properties)}};
  tool.output_schema =
      *ParseJson(R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})");
  tool.annotations.read_only = true;
  tool.handler = std::move(handler);
  return tool;
}

// echo answers with its text; wait runs until it is cancelled; step reports three steps; broken breaks its
// schema; bug throws.
inline Catalog TestCatalog() {
  Catalog catalog;
  catalog.instructions = "Use echo.";
  auto echo = SmallTool("echo", R"({"text":{"type":"string","default":"none"}})",
                        [](const Json& a, const Settings&, const RunContext&) -> Result<Json> {
                          return Json{{"text", a["text"]}};
                        });
  echo.duration = ToolDuration::kInstant;
  auto wait =
      SmallTool("wait", "{}", [](const Json&, const Settings&, const RunContext& run) -> Result<Json> {
        while (!run.Cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return Fail(ErrorCode::kCancelled, "cancelled");
      });
  auto step =
      SmallTool("step", "{}", [](const Json&, const Settings&, const RunContext& run) -> Result<Json> {
        for (int i = 1; i <= 3; ++i) {
          run.Report(i, 3, "step");
          std::this_thread::sleep_for(std::chrono::milliseconds(25));
        }
        return Json{{"text", "done"}};
      });
  auto broken =
      SmallTool("broken", "{}", [](const Json&, const Settings&, const RunContext&) -> Result<Json> {
        return Json{{"txt", 1}};
      });
  auto bug = SmallTool("bug", "{}", [](const Json&, const Settings&, const RunContext&) -> Result<Json> {
    throw std::runtime_error("the shelf is empty");
  });
  for (const auto& tool : {echo, wait, step, broken, bug})
    catalog.tools.push_back(AdaptTool(tool, Settings{}));
  return catalog;
}

// One connection. Tools run on threads of their own.
class Conversation {
 public:
  explicit Conversation(Catalog catalog = TestCatalog())
      : dispatcher(std::move(catalog), [this](std::function<void()> task) {
          threads_.emplace_back(std::move(task));
          return true;
        }) {}
  ~Conversation() {
    dispatcher.Stop(*session);
    for (auto& thread : threads_) thread.join();
  }

  // Hands a line in and does not wait.
  std::shared_ptr<RecordingOutbox> Start(std::string_view line, const Headers* headers = nullptr) {
    auto outbox = std::make_shared<RecordingOutbox>();
    dispatcher.Receive(session, line, outbox, headers);
    return outbox;
  }
  // Hands a line in and returns what came back, one message a line.
  std::string Say(std::string_view line, const Headers* headers = nullptr) {
    auto outbox = Start(line, headers);
    if (!outbox->WaitFinished()) return "nothing within 20 s";
    status = outbox->status;
    std::string all;
    for (const auto& message : outbox->Lines()) all += (all.empty() ? "" : "\n") + message;
    return all;
  }
  Json Ask(std::string_view line, const Headers* headers = nullptr) {
    auto parsed = ParseJson(Say(line, headers));
    return parsed ? *parsed : Json();
  }

  int status = 0;
  std::shared_ptr<Session> session = std::make_shared<Session>(false);
  Dispatcher dispatcher;

 private:
  std::vector<std::thread> threads_;
};

}  // namespace helix::mcp
