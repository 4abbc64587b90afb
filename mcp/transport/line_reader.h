// Bytes into lines, whatever the splits.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace helix::mcp {

inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// Not thread-safe.
class LineReader {
 public:
  using OnLine = std::function<void(std::string_view line)>;
  // `on_line` gets each line without its LF or CRLF, never an empty one; `on_too_long` is called once for a
  // line above `max_bytes`, whose bytes are dropped. The next line is read as if nothing had happened.
  LineReader(OnLine on_line, std::function<void()> on_too_long, std::size_t max_bytes = kMaxLineBytes)
      : on_line_(std::move(on_line)), on_too_long_(std::move(on_too_long)), max_bytes_(max_bytes) {}

  void Feed(std::string_view bytes);
  // The input ended: a last line without LF is a line too.
  void Finish();

 private:
  void Line(std::string_view line);
  void Keep(std::string_view part);

  const OnLine on_line_;
  const std::function<void()> on_too_long_;
  const std::size_t max_bytes_;
  std::string part_;
  bool skipping_ = false;
};

}  // namespace helix::mcp
