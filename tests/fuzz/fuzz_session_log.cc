// A session log, any bytes: no more turns than lines, and every repeated line is counted once.
#include <cstdint>
#include <string>

#include "core/consistency/session_log.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  helix::consistency::SessionLogReader reader;
  reader.Add(text, "file");
  const auto log = reader.Take();
  HELIX_REQUIRE(log.turns.size() + log.repeated + log.unreadable <= log.lines);
  return 0;
}
