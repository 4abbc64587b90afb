// What is strictly JSON is JSON to the lenient reader too, and survives being written and read again. What
// the fast reader takes, the library takes and reads as the same.
#include <cstdint>
#include <string>

#include "core/base/json.h"
#include "core/base/json_reader.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto strict = helix::ParseStrict(text);
  auto lenient = helix::ParseJson(text);
  if (const auto plain = helix::ReadPlainJson(text, {false, 256})) {
    const auto slow = helix::Json::parse(text, nullptr, false);
    HELIX_REQUIRE(!slow.is_discarded() && helix::DumpJson(slow) == helix::DumpJson(*plain));
  }
  if (lenient) HELIX_REQUIRE(!helix::DumpJson(*lenient).empty());
  if (!strict) return 0;
  HELIX_REQUIRE(lenient && *lenient == *strict);
  auto again = helix::ParseStrict(helix::DumpJson(*strict));
  HELIX_REQUIRE(again && *again == *strict);
  return 0;
}
