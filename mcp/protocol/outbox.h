// Where the messages that belong to one incoming message go. A transport implements it.
#pragma once
#include <stop_token>
#include <string>

namespace helix::mcp {

// Thread-safe. Exactly one of Reply and Nothing is called for every incoming message, and it is the last
// call.
class Outbox {
 public:
  virtual ~Outbox() = default;
  // A notification, or a request of ours to the client.
  virtual void Send(std::string message) = 0;
  // The answer. `http_status` is what the HTTP binding says of it.
  virtual void Reply(std::string message, int http_status) = 0;
  // There is no answer: a notification was taken, or the request was cancelled.
  virtual void Nothing() = 0;
  // Stop requested when the client can no longer be reached. A token without state: that is never known.
  virtual std::stop_token Gone() { return {}; }
  // Ends the current stream without the answer, for a client that will ask for the rest; false: not possible.
  virtual bool Pause() { return false; }
};

}  // namespace helix::mcp
