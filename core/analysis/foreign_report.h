// Other tools' outputs, read as far as their fields go. What they do not record stays absent, and the checks
// say so.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/analyze.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::analysis {

struct ForeignReport {
  std::string tool;  // "llama-bench", "vllm bench serve", "sglang bench_serving"
  Json report;       // in the schema helix.report/1, with the claim and the samples that the file gives
  std::string note;  // one sentence: what this output cannot show
};

// Nullopt when the bytes are none of the known outputs: llama-bench rows (a JSON list, or one object per
// line), one JSON object of `vllm bench serve`, or lines of JSON of SGLang's bench_serving.
std::optional<ForeignReport> ReadForeign(std::string_view bytes);

// AnalyzeBytes, and for a known foreign output the analysis of what could be read from it. `tool` and `note`
// are set for those.
struct AnyAnalysis {
  Analysis analysis;
  std::string tool = "helix.report/1";
  std::string note;
  [[nodiscard]] Json ToJson() const;
};
AnyAnalysis AnalyzeAnything(std::string_view bytes, const AnalyzeOptions& options = {});

}  // namespace helix::analysis
