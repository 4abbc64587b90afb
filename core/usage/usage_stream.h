// Usage of one streamed reply: the events' usage merged as the provider means it. Feed it a body in any
// split.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/net/sse_parser.h"
#include "core/usage/usage.h"

namespace helix::usage {

// Not thread-safe. Flags of a stream: no_usage, error (it carries an error event), truncated (it ended before
// its closing event), suspect_empty (it closed politely without any content), restarted (a second
// message_start).
class UsageStream {
 public:
  explicit UsageStream(std::string provider = {});

  // Bytes of text/event-stream.
  Status Feed(std::string_view bytes);
  // The data of one event, where the caller has split the stream.
  void Event(std::string_view data);
  // The same, parsed.
  void Object(const Json& event);
  // The stream has ended. A last event without its empty line counts when it is whole.
  Reply Finish();

  [[nodiscard]] bool failed() const { return !error_.empty(); }
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] bool has_content() const { return content_; }
  [[nodiscard]] std::uint64_t objects() const { return objects_; }

 private:
  void Usage(const Json& usage, const char* source);
  void Anthropic(const std::string& type, const Json& event);
  void Responses(const std::string& type, const Json& event);
  void Chunk(const Json& event);
  void Choices(const Json& event);
  void Native(const Json& event);
  void NoteError(const Json& event);

  std::string provider_;
  net::SseParser parser_;
  Json merged_ = Json::object();  // a whole reply, as far as it is known
  std::string source_;
  std::string error_;
  std::string cut_;  // an event that is not JSON
  bool content_ = false;
  bool finish_ = false;
  bool closed_ = false;
  bool closes_explicitly_ = false;  // this kind of stream has a closing event
  bool restarted_ = false;
  bool input_in_start_ = false;  // the first usage had an input count and no cache counters
  bool input_before_cache_ = false;
  std::uint64_t objects_ = 0;
};

}  // namespace helix::usage
