// However a stream is cut, the events and the end are the same.
#include <cstdint>
#include <string>

#include "core/net/sse_error.h"
#include "core/net/sse_parser.h"
#include "tests/fuzz/require.h"

namespace {

std::string Parse(std::string_view text, std::size_t piece) {
  std::string out;
  helix::net::SseParser parser(
      [&](const helix::net::SseEvent& e) {
        out += e.event + "|" + e.id + "|" + e.data + "|" + (helix::net::SseErrorOf(e) ? "" : "error") + "\n";
      },
      4096);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    // Where exactly an event that is too big is refused depends on the cut; that it is refused does not.
    if (!parser.Feed(text.substr(0, piece), 0)) return "too big";
  }
  return out + (parser.Finish() ? "whole" : "cut") + std::to_string(parser.comments());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::size_t piece = 1 + data[0] % 16;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = Parse(text, text.size() + 1);
  HELIX_REQUIRE(Parse(text, 1) == whole);
  HELIX_REQUIRE(Parse(text, piece) == whole);
  return 0;
}
