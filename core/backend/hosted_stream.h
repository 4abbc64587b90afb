// A streamed reply, timed as it arrives. The TTFT is stamped by the first event with something generated in
// it: a non-empty text, thinking or tool delta. Role-only chunks, message_start, pings and comments do not
// stamp it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/measured.h"
#include "core/base/result.h"
#include "core/net/sse_parser.h"
#include "core/usage/usage_stream.h"

namespace helix::backend {

class HostedStream {
 public:
  explicit HostedStream(std::string provider);

  Status Feed(std::string_view bytes, std::int64_t t_ns);
  // Ends the stream and reads its usage.
  usage::Reply Finish();

  [[nodiscard]] const Measured<std::int64_t>& first_generated_ns() const { return first_generated_; }
  [[nodiscard]] const Measured<std::int64_t>& first_text_ns() const { return first_text_; }
  [[nodiscard]] std::int64_t last_generated_ns() const { return last_generated_; }
  // Everything generated came in one read, or faster than any model generates (a router splits what a hop
  // collected): the stream was collected on the way, so its TTFT is its total time.
  [[nodiscard]] bool buffered() const;
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] int generated_events() const { return generated_events_; }

 private:
  void Event(const net::SseEvent& event);

  net::SseParser parser_;
  usage::UsageStream usage_;
  Measured<std::int64_t> first_generated_;
  Measured<std::int64_t> first_text_;
  std::int64_t last_generated_ = 0;
  int generated_events_ = 0;
  int arrivals_ = 0;
  std::string text_;
};

}  // namespace helix::backend
