// Whatever a provider sends: the reader ends, and its counters never contradict its own sum.
#include <cstdint>

#include "core/usage/usage_document.h"
#include "core/usage/usage_stream.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helix::usage;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto document = ReadUsageDocument(text);
  if (document) {
    HELIX_REQUIRE(!document->replies.empty());
    for (const auto& reply : document->replies) {
      const Usage& u = reply.usage;
      for (const auto* count : {&u.in_total, &u.in_uncached, &u.cache_read, &u.out_total}) {
        HELIX_REQUIRE(!count->present() || count->value().count >= 0);
      }
    }
    HELIX_REQUIRE(!helix::DumpJson(ToJson(*document)).empty());
  }
  // A stream reads the same in one piece and in two.
  UsageStream whole;
  UsageStream split;
  bool fed = whole.Feed(text).has_value();
  fed = split.Feed(text.substr(0, size / 2)) && split.Feed(text.substr(size / 2)) && fed;
  if (fed) {
    HELIX_REQUIRE(helix::DumpJson(ToJson(whole.Finish())) == helix::DumpJson(ToJson(split.Finish())));
  }
  return 0;
}
