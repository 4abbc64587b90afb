// JSON-RPC lines: every answer is JSON on one line, and a notification gets none.
#include <cstdint>
#include <cstdlib>

#include "mcp/protocol/dispatcher.h"

namespace {

using namespace helix::mcp;

class Checking : public Outbox {
 public:
  void Send(std::string message) override { Check(message); }
  void Reply(std::string message, int) override { Check(message); }
  void Nothing() override {}

 private:
  static void Check(const std::string& message) {
    if (message.find('\n') != std::string::npos || !helix::ParseJson(message)) std::abort();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Dispatcher dispatcher(Catalog{}, [](const std::function<void()>& task) {
    task();
    return true;
  });
  const auto session = std::make_shared<Session>(false);
  dispatcher.Receive(session, {reinterpret_cast<const char*>(data), size}, std::make_shared<Checking>());
  dispatcher.Stop(*session);
  return 0;
}
