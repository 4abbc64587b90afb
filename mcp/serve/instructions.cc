#include "mcp/serve/instructions.h"

namespace helix::mcp {

std::string Instructions() {
  return R"(Measured, checkable numbers about LLM prompt caching (prefix/KV cache). Nothing here is guessed: a number is measured or it is absent.

Which tool:
- "Is my cache working?": probe_backend (what answers at an endpoint and which counters it has), then bench_track_a for a local llama.cpp server (cache off against on, same prompts, paired) or bench_track_b for a hosted provider (costs money, needs an explicit switch).
- "Why did it miss?": diagnose_miss with two consecutive requests, diagnose_session with a whole transcript.
- "Does the cache change answers?": check_equivalence.
- "Is this claimed speed-up true?": analyze_report with the report, verify_report for its evidence.
- "What did these tokens cost?": read_usage with a provider's usage object.
- "Make the prompt shorter": compress_prompt.
- "Does this tool itself work?": run_selfcheck (its numbers are synthetic and say so).

How to read a result: `verdict` is PASS, FAIL, INCONCLUSIVE or SKIP. SKIP has no numbers and says in `would_run_if` what would make it run. `synthetic: true` means stub numbers. `model.weights: "synthetic"` means random weights on a real server: speeds are real, language is not. Quote ratios with their interval.

Long runs: a bench call answers within `max_wait_s` seconds, with the result or with status "running" and a job_id. Then call get_job with that id until it is done; cancel_job stops it. Reports are resources (helix://reports/{digest}); `full_result` names what was cut to keep an answer short.)";
}

}  // namespace helix::mcp
