// A fake of Anthropic's Messages API whose prompt cache is a set of marked system texts. Its numbers are made
// up; what it shows is how the client deals with them.
#pragma once
#include <functional>
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
    kBuffers,
    kReadsAlways,  // says "read" whatever was sent
    kHugeCounts,   // 10^12 prompt tokens
    kGarbage,      // negative counters, counters that are texts
    kOtherModel,   // another model's name
    kRefusesKey,   // 401 that echoes the key
    kSpendCap,     // 429 with the spend cap's code
    kBusyPage,     // 529 with an HTML page
    kErrorInStream,
    kSilentEnd,  // the stream stops without its closing event
    kEndless     // deltas without end
  } manner = Manner::kCaches;
  std::mutex mutex;
  std::set<std::string> written;
  int calls = 0;
  int counts_at_most = 1'000'000;        // calls after these report no cache counters
  std::chrono::milliseconds thinks{15};  // before a cold answer; a hit takes a fifth
  // What it answers instead of its own: the request's body, and whether its prefix was read from the cache.
  std::function<std::string(const Json& body, bool hit)> says;

  void Answer(const fakes::ReceivedRequest& request, fakes::FakeConnection& connection) {
    if (request.method != "POST") {
      connection.Reply(404, "{}");
      return;
    }
    std::scoped_lock lock(mutex);
    ++calls;
    if (Refuse(request, connection)) return;
    auto body = ParseJson(request.body).value();
    const Json& system = body["system"][0];
    const std::string text = system["text"];
    const std::int64_t prefix = static_cast<std::int64_t>(text.size()) / 4;
    bool marked = system.contains("cache_control") && manner != Manner::kIgnoresMarkers;
    bool hit = marked && written.contains(text) && manner != Manner::kNeverReads;
    if (marked) written.insert(text);
    Stream(body, UsageOf(prefix, marked, hit), hit, connection);
  }

 private:
  bool Refuse(const fakes::ReceivedRequest& request, fakes::FakeConnection& connection) {
    if (manner == Manner::kRefusesKey) {
      connection.Reply(401,
                       R"({"type":"error","error":{"type":"authentication_error","message":"no such key: )" +
                           request.header("x-api-key") + "\"}}");
    } else if (manner == Manner::kSpendCap) {
      connection.Reply(429, R"({"type":"error","error":{"type":"rate_limit_error","message":"cap",)"
                            R"("details":{"error_code":"enforced_spend_limit_reached"}}})");
    } else if (manner == Manner::kBusyPage) {
      connection.Reply(529, "<html><body>busy</body></html>", "text/html", "retry-after: 0.01\r\n");
    } else {
      return false;
    }
    return true;
  }

  Json UsageOf(std::int64_t prefix, bool marked, bool hit) {
    if (manner == Manner::kHugeCounts)
      return {{"input_tokens", 1000000000000}, {"cache_read_input_tokens", 0}, {"output_tokens", 1}};
    if (manner == Manner::kGarbage)
      return {{"input_tokens", -5}, {"cache_read_input_tokens", "many"}, {"output_tokens", 1}};
    if (manner == Manner::kReadsAlways)
      return {{"input_tokens", 20},
              {"cache_read_input_tokens", prefix},
              {"cache_creation_input_tokens", 0},
              {"output_tokens", 1}};
    Json usage = {{"input_tokens", (marked ? 0 : prefix) + 20}, {"output_tokens", 1}};
    if (manner == Manner::kDropsCounters || calls > counts_at_most) return usage;
    usage["cache_read_input_tokens"] = hit ? prefix : 0;
    usage["cache_creation_input_tokens"] = marked && !hit ? prefix : 0;
    usage["cache_creation"] = {{"ephemeral_5m_input_tokens", marked && !hit ? prefix : 0},
                               {"ephemeral_1h_input_tokens", 0}};
    return usage;
  }

  static std::string Delta(const std::string& text) {
    return "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":" +
           DumpJson(Json(text)) + "}}\n\n";
  }

  // The right answer to a word problem: boxes x each - broken; "x" to everything else.
  static std::string AnswerTo(const Json& body) {
    const std::string text = body["messages"][0]["content"][0]["text"];
    long boxes = 0;
    long each = 0;
    long broken = 0;
    char thing[16];
    const int read = sscanf(text.c_str(), "A ship brings %ld boxes with %ld %15s parts in each. %ld", &boxes,
                            &each, thing, &broken);
    return read == 4 ? "The number is " + std::to_string(boxes * each - broken) : "x";
  }

  void Stream(const Json& body, const Json& usage, bool hit, fakes::FakeConnection& connection) {
    const std::string number = std::to_string(calls);
    const std::string id = manner == Manner::kReplays ? "msg_same" : "msg_" + number;
    const std::string model = manner == Manner::kOtherModel ? "cheap-1" : body["model"].get<std::string>();
    Json message = {{"id", id}, {"type", "message"}, {"model", model}, {"usage", usage}};
    std::string start = "data: " + DumpJson({{"type", "message_start"}, {"message", message}}) + "\n\n";
    const std::string system = body["system"][0]["text"];
    const bool task = system.starts_with("You solve");
    const int out = task ? (system.find("concisely") != std::string::npos ? 12 : 60) : 48;
    const std::string end = "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" +
                            std::string(task ? "end_turn" : "max_tokens") +
                            "\"},\"usage\":{\"output_tokens\":" + std::to_string(out) +
                            "}}\n\ndata: {\"type\":\"message_stop\"}\n\n";
    connection.BeginChunked(200, "text/event-stream", "request-id: req_" + number + "\r\n");
    connection.Sleep(hit ? thinks / 5 : thinks);
    const std::string answer = says ? says(body, hit) : AnswerTo(body);
    if (manner == Manner::kBuffers) {
      connection.Chunk(start + Delta("a") + Delta("b") + Delta("c") + Delta("d") + end);
    } else if (manner == Manner::kErrorInStream) {
      connection.Chunk(start + Delta("a"));
      connection.Chunk("event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}\n\n");
    } else if (manner == Manner::kSilentEnd) {
      connection.Chunk(start + Delta("a"));
    } else if (manner == Manner::kEndless) {
      const std::string many = Delta(std::string(60000, 'x'));
      connection.Chunk(start);
      while (connection.Chunk(many)) {
      }
    } else {
      connection.Chunk(start + Delta(answer));
      connection.Sleep(thinks / 4);
      connection.Chunk(Delta(" ") + end);
    }
    connection.EndChunked();
  }
};

}  // namespace helix::tracks
