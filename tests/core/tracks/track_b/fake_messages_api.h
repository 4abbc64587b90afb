// A fake of Anthropic's Messages API whose prompt cache is a set of marked system texts. Its numbers are made
// up; what it shows is how the client deals with them.
#pragma once
#include <set>

#include "core/base/json_fields.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::tracks {

struct FakeMessagesApi {
  enum class Manner {
    kCaches,
    kNeverReads,
    kIgnoresMarkers,
    kDropsCounters,
    kReplays,
    kBuffers
  } manner = Manner::kCaches;
  std::mutex mutex;
  std::set<std::string> written;
  int calls = 0;

  void Answer(const fakes::ReceivedRequest& request, fakes::FakeConnection& connection) {
    if (request.method != "POST") {
      connection.Reply(404, "{}");
      return;
    }
    auto body = ParseJson(request.body).value();
    const Json& system = body["system"][0];
    const std::string text = system["text"];
    const std::int64_t prefix = static_cast<std::int64_t>(text.size()) / 4;
    std::scoped_lock lock(mutex);
    ++calls;
    bool marked = system.contains("cache_control") && manner != Manner::kIgnoresMarkers;
    bool hit = marked && written.contains(text) && manner != Manner::kNeverReads;
    if (marked) written.insert(text);
    Json usage = {{"input_tokens", (marked ? 0 : prefix) + 20}, {"output_tokens", 1}};
    if (manner != Manner::kDropsCounters) {
      usage["cache_read_input_tokens"] = hit ? prefix : 0;
      usage["cache_creation_input_tokens"] = marked && !hit ? prefix : 0;
      usage["cache_creation"] = {{"ephemeral_5m_input_tokens", marked && !hit ? prefix : 0},
                                 {"ephemeral_1h_input_tokens", 0}};
    }
    Stream(body["model"], usage, hit, connection);
  }

 private:
  void Stream(const std::string& model, const Json& usage, bool hit, fakes::FakeConnection& connection) {
    const std::string id = manner == Manner::kReplays ? "msg_same" : "msg_" + std::to_string(calls);
    Json message = {{"id", id}, {"type", "message"}, {"model", model}, {"usage", usage}};
    std::string start = "data: " + DumpJson({{"type", "message_start"}, {"message", message}}) + "\n\n";
    const std::string delta =
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n";
    const std::string end =
        "data: "
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":4}"
        "}\n\n"
        "data: {\"type\":\"message_stop\"}\n\n";
    connection.BeginChunked(200, "text/event-stream");
    connection.Sleep(std::chrono::milliseconds(hit ? 2 : 12));
    if (manner == Manner::kBuffers) {
      connection.Chunk(start + delta + delta + delta + delta + end);
    } else {
      connection.Chunk(start + delta);
      connection.Chunk(delta + end);
    }
    connection.EndChunked();
  }
};

}  // namespace helix::tracks
