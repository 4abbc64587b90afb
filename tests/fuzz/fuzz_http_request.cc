// HTTP requests: whatever the bytes and however they are split, the parser ends in one of its states, keeps
// its limits and reads the same from one piece as from two.
#include <cstdint>
#include <cstdlib>

#include "mcp/transport/http_rules.h"

namespace {

using helix::mcp::HttpParser;

std::string Read(std::string_view text, std::size_t split) {
  HttpParser parser;
  std::string input(text.substr(0, split));
  parser.Parse(input);
  input.append(text.substr(split));
  std::string seen;
  for (int i = 0; i < 64; ++i) {
    const auto state = parser.Parse(input);
    if (state != HttpParser::State::kRequest)
      return seen + (state == HttpParser::State::kError ? "error" : "more");
    const auto& request = parser.request();
    if (request.body.size() > (std::size_t{4} << 20) || request.headers.size() > 128) std::abort();
    const auto refusal = helix::mcp::CheckRequest(request, {});
    seen += request.method + request.path + request.body + (refusal ? "refused;" : "taken;");
    parser.Next();
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (Read(text, 0) != Read(text, size / 2)) std::abort();
  return 0;
}
