// Two request bodies, divided by the first newline: any JSON gets a verdict of the closed list or a refusal.
#include <cstdint>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/advice_table.h"
#include "core/consistency/case_diagnosis.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using helix::Json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return 0;
  auto a = helix::ParseJson(text.substr(0, newline));
  auto b = helix::ParseJson(text.substr(newline + 1));
  if (!a || !b) return 0;
  for (const char* transform : {"none", "hoist_system", "strip_attribution", "drop_reasoning", "sort_keys"}) {
    const Json one{{"kind", "request_pair"}, {"input", {{"a", *a}, {"b", *b}, {"transform", transform}}}};
    const auto result = helix::consistency::DiagnoseCase(one, {});
    if (!result) continue;
    HELIX_REQUIRE(helix::consistency::IsKnownVerdict(helix::StringAt(*result, "verdict").value_or("")));
  }
  return 0;
}
