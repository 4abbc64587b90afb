// A server's log, any bytes: always a verdict of the closed list.
#include <cstdint>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/advice_table.h"
#include "core/consistency/log_diagnosis.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = helix::consistency::DiagnoseLog({reinterpret_cast<const char*>(data), size});
  HELIX_REQUIRE(helix::consistency::IsKnownVerdict(helix::StringAt(result, "verdict").value_or("")));
  return 0;
}
