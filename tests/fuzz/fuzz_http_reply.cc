// However a reply is cut, it reads the same; a body never outgrows its limit.
#include <cstdint>
#include <string>

#include "core/net/http_reply_parser.h"
#include "tests/fuzz/require.h"

namespace {

constexpr helix::net::ReplyLimits kLimits{1000, 2000};

std::string Parse(std::string_view text, std::size_t piece, bool head) {
  helix::net::HttpReplyParser parser(kLimits, head);
  std::string body;
  std::size_t taken = 0;
  while (!text.empty() && !parser.complete()) {
    auto fed = parser.Feed(text.substr(0, piece), [&](std::string_view bytes) {
      body += bytes;
      return true;
    });
    HELIX_REQUIRE(body.size() <= kLimits.max_body_bytes);
    if (!fed) return "refused";
    HELIX_REQUIRE(*fed == std::min(piece, text.size()) || parser.complete());
    taken += *fed;
    text.remove_prefix(*fed);
  }
  const bool whole = parser.Finish().has_value();
  HELIX_REQUIRE(!whole || (parser.headers_complete() && parser.complete()));
  return std::to_string(parser.status()) + (whole ? " whole " : " cut ") + std::to_string(taken) +
         (whole && parser.keep_alive() ? " kept " : " closed ") + body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const bool head = data[0] >= 0xF0;
  const std::size_t piece = 1 + data[0] % 16;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = Parse(text, text.size() + 1, head);
  HELIX_REQUIRE(Parse(text, 1, head) == whole);
  HELIX_REQUIRE(Parse(text, piece, head) == whole);
  return 0;
}
