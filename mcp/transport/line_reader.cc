#include "mcp/transport/line_reader.h"

namespace helix::mcp {

void LineReader::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos) return Keep(bytes);
    if (part_.empty() && !skipping_ && end <= max_bytes_) {
      Line(bytes.substr(0, end));
    } else {
      Keep(bytes.substr(0, end));
      Finish();
    }
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::Keep(std::string_view part) {
  if (skipping_) return;
  if (part_.size() + part.size() > max_bytes_) {
    skipping_ = true;
    part_ = std::string();
    return on_too_long_();
  }
  part_.append(part);
}

void LineReader::Finish() {
  if (!skipping_) Line(part_);
  skipping_ = false;
  if (part_.capacity() > (std::size_t{1} << 20)) part_ = std::string();
  part_.clear();
}

void LineReader::Line(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return;
  on_line_(line);
}

}  // namespace helix::mcp
