#include "core/net/sse_parser.h"

#include <cstring>

namespace helix::net {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

// The first CR or LF, or npos. Two memchr passes: a byte-by-byte search costs ten times as much on long
// lines.
std::size_t LineEnd(std::string_view bytes) {
  const void* lf = std::memchr(bytes.data(), '\n', bytes.size());
  std::size_t end = lf == nullptr ? bytes.size() : static_cast<const char*>(lf) - bytes.data();
  const void* cr = std::memchr(bytes.data(), '\r', end);
  if (cr != nullptr) return static_cast<const char*>(cr) - bytes.data();
  return lf == nullptr ? std::string_view::npos : end;
}

}  // namespace

SseParser::SseParser(Sink sink, std::size_t max_event_bytes)
    : sink_(std::move(sink)), max_event_bytes_(max_event_bytes) {}

// Holds back bytes that may be the start of a BOM; gives them to the first line when they are not.
std::string_view SseParser::SkipBom(std::string_view bytes) {
  while (bom_seen_ < kBom.size() && !bytes.empty()) {
    if (bytes.front() != kBom[bom_seen_]) {
      buffer_.assign(kBom.substr(0, bom_seen_));
      at_start_ = false;
      return bytes;
    }
    ++bom_seen_;
    bytes.remove_prefix(1);
  }
  if (bom_seen_ == kBom.size()) at_start_ = false;
  return bytes;
}

bool SseParser::TooBig(std::size_t more) const {
  return buffer_.size() + pending_.data.size() + more > max_event_bytes_;
}

Status SseParser::Outgrown() {
  outgrown_ = true;
  return Fail(ErrorCode::kParse,
              "an event of the stream is larger than " + std::to_string(max_event_bytes_) + " bytes",
              "ask for fewer tokens per request, or check that the endpoint sends text/event-stream");
}

Status SseParser::Feed(std::string_view bytes, std::int64_t t_ns) {
  if (outgrown_) return Outgrown();
  if (at_start_) bytes = SkipBom(bytes);
  while (!bytes.empty()) {
    if (skip_lf_) {
      skip_lf_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
    }
    std::size_t end = LineEnd(bytes);
    if (TooBig(std::min(end, bytes.size()))) return Outgrown();
    if (end == std::string_view::npos) {
      buffer_.append(bytes);
      return {};
    }
    skip_lf_ = bytes[end] == '\r';
    if (buffer_.empty()) {
      Line(bytes.substr(0, end), t_ns);
    } else {
      buffer_.append(bytes.substr(0, end));
      std::string line;
      line.swap(buffer_);
      Line(line, t_ns);
    }
    bytes.remove_prefix(end + 1);
  }
  return {};
}

void SseParser::Line(std::string_view line, std::int64_t t_ns) {
  if (line.empty()) return Dispatch(t_ns);
  std::size_t colon = line.find(':');
  if (colon == 0) {
    ++comments_;
    return;
  }
  any_field_ = true;
  if (colon == std::string_view::npos) return Field(line, {});
  std::string_view value = line.substr(colon + 1);
  if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  Field(line.substr(0, colon), value);
}

void SseParser::Field(std::string_view name, std::string_view value) {
  if (name == "event") {
    pending_.event = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) pending_.id = value;
  } else if (name == "data" || name == "error") {
    if (name == "error") pending_.event = "error";
    if (has_data_) pending_.data += '\n';
    pending_.data += value;
    has_data_ = true;
  }
}

void SseParser::Dispatch(std::int64_t t_ns) {
  if (has_data_) {
    pending_.t_ns = t_ns;
    ++events_;
    sink_(pending_);
  }
  pending_.event.clear();
  pending_.data.clear();
  has_data_ = any_field_ = false;
}

Status SseParser::Finish() {
  if (outgrown_) return Outgrown();
  bool half_bom = at_start_ && bom_seen_ > 0;
  if (any_field_ || !buffer_.empty() || half_bom) {
    return Fail(ErrorCode::kProtocol, "the stream ended inside an event, after " + std::to_string(events_) +
                                          " complete ones: it was cut off");
  }
  if (events_ == 0) return Fail(ErrorCode::kProtocol, "the stream ended without a single event");
  return {};
}

}  // namespace helix::net
