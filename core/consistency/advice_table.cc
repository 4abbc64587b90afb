#include "core/consistency/advice_table.h"

#include <array>

namespace helix::consistency {
namespace {

constexpr std::string_view kDate = "2026-12-01";
constexpr std::string_view kAnthropicPage = "Anthropic prompt caching documentation";
constexpr std::string_view kOwn = "docs/diagnosis.md";

constexpr std::array kTable = {
    Advice{"OK_APPEND_ONLY", "", "Nothing to do: the second request only adds to the first.", "", kOwn,
           kDate},
    Advice{"OK_PARTIAL_HIT", "", "Nothing to do: the server reports reuse.", "", kOwn, kDate},
    Advice{"OK_EXACT", "", "Nothing to do: cached and fresh output are the same tokens.", "", kOwn, kDate},
    Advice{"VOLATILE_ATTRIBUTION", "",
           "Put it into the env block of Claude Code's settings.json (a shell export is reported not to "
           "work), or strip the line in the proxy.",
           "CLAUDE_CODE_ATTRIBUTION_HEADER=0", "anthropics/claude-code#32636", kDate},
    Advice{"VOLATILE_TIMESTAMP", "",
           "Move the time out of the prefix: put it into the newest user message, or send the date only.", "",
           "earendil-works/pi#1873", kDate},
    Advice{"VOLATILE_DATE", "",
           "One miss per day is what a date in the prefix costs; to avoid it, put the date into the newest "
           "user message.",
           "", kOwn, kDate},
    Advice{"VOLATILE_GIT_STATUS", "", "Leave git's state out of the system prompt.",
           "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS=1", "anthropics/claude-code#47098", kDate},
    Advice{"VOLATILE_EMBEDDED_FILE", "",
           "Put the file's content behind the stable text, or let the model read it with a tool.", "", kOwn,
           kDate},
    Advice{"VOLATILE_ID", "", "Take the identifier out of the prompt, or put it behind the stable text.", "",
           kOwn, kDate},
    Advice{"SYSTEM_CHANGED", "",
           "Keep the system text equal between turns; put what changes into the newest user message.", "",
           kOwn, kDate},
    Advice{"MID_SYSTEM_HOISTED", "",
           "The bodies are append-only and the server moves system messages to the front: switch the "
           "client's reminder off (\"fixed\" is not enough), or keep such messages in place.",
           "CLAUDE_CODE_TOTAL_TOKENS_REMINDER=off", "ollama/ollama#18431", kDate},
    Advice{"MODEL_CHANGED", "", "Caches are per model: stay with one model per conversation.", "",
           kAnthropicPage, kDate},
    Advice{"TOOLS_REORDERED", "", "Sort the tools by name before each request.", "",
           "openclaw/openclaw#58037", kDate},
    Advice{"TOOL_SCHEMA_KEY_ORDER", "sglang", "Serialise tool schemas with sorted keys.",
           "--enable-sort-tool-schema-keys", "sgl-project/sglang#34553", kDate},
    Advice{"TOOL_SCHEMA_KEY_ORDER", "", "Serialise tool schemas with sorted keys.", "",
           "Lakr233/FlowDown#273", kDate},
    Advice{"TOOLS_CHANGED", "",
           "Send the same tools in every turn; forbid a tool instead of removing it, add new ones at a "
           "session's start.",
           "", kAnthropicPage, kDate},
    Advice{"TOOLCALL_ARGS_REORDERED", "",
           "Send earlier tool calls back as the bytes that the model wrote; do not re-serialise them.", "",
           "OpenRouterTeam/ai-sdk-provider#171", kDate},
    Advice{"REASONING_DROPPED", "",
           "Send earlier reasoning back (preserve_thinking, or clear_thinking=false), or accept one re-read "
           "of the last turn per user message.",
           "", "ggml-org/llama.cpp#22746", kDate},
    Advice{"HISTORY_BLOCK_MOVED", "", "Leave injected blocks where they were first sent.", "",
           "anthropics/claude-code#76959", kDate},
    Advice{"HISTORY_REORDERED", "", "Send parallel results back in one fixed order.", "",
           "anthropics/claude-code#76959", kDate},
    Advice{"HISTORY_REWRITTEN", "",
           "Expected once per compaction or edit; when it comes every turn, send earlier messages back "
           "unchanged.",
           "", "anthropics/claude-code#91858", kDate},
    Advice{"REPRESENTATION_CHANGED", "",
           "Send one form of content (string or blocks) throughout; whether it costs a miss depends on the "
           "server.",
           "", "anthropics/claude-code#93490", kDate},
    Advice{"BREAKPOINT_MISSING", "",
           "Mark the last block of the newest message with cache_control, on Anthropic's API; local servers "
           "need no marker.",
           "cache_control: {\"type\": \"ephemeral\"}", kAnthropicPage, kDate},
    Advice{"BREAKPOINT_ON_VOLATILE", "", "Put cache_control on the last block that is sent again unchanged.",
           "", "anthropics/claude-code#96101", kDate},
    Advice{"BREAKPOINT_NOT_ADVANCING", "", "Move the last cache_control to the newest message in every turn.",
           "", "anthropics/claude-code#34629", kDate},
    Advice{"LOOKBACK_EXCEEDED", "",
           "Add a marker in between: a read looks back 20 blocks, and a request may carry 4 markers.", "",
           kAnthropicPage, kDate},
    Advice{"BELOW_MINIMUM", "",
           "The prefix is shorter than the model's minimum, so nothing is cached: use a longer prefix or "
           "stop marking it.",
           "", kAnthropicPage, kDate},
    Advice{"TTL_EXPIRED", "",
           "The entry expired between the requests: keep the gap shorter, or pay for the one-hour entry.",
           "ENABLE_PROMPT_CACHING_1H=1", kAnthropicPage, kDate},
    Advice{"UNEXPLAINED_SERVER_SIDE", "",
           "The prefix is equal and the entry was alive: report it to the provider with the request ids, and "
           "quote its cache diagnostics.",
           "", "anthropics/claude-code#87966", kDate},
    Advice{"ROUTE_CHANGED", "", "Pin the route: caches are per provider, region and replica.",
           "provider.order with allow_fallbacks=false (OpenRouter), X-data-parallel-rank (vLLM)",
           "OpenRouter provider routing documentation", kDate},
    Advice{"CACHE_NOT_FUNCTIONING", "",
           "Equal requests never read what they wrote: the server's cache does not work; report it there.",
           "", "kekzl/imp#758", kDate},
    Advice{"REPORTING_OFF", "vllm",
           "Unknown is not zero: start vLLM with the flag, or take the difference of "
           "vllm:prefix_cache_hits_total around the call.",
           "--enable-prompt-tokens-details", "vllm-project/vllm#18062", kDate},
    Advice{"REPORTING_OFF", "sglang",
           "Unknown is not zero: start SGLang with the flag, or use /generate, which always reports.",
           "--enable-cache-report", "noonghunna/club-3090#1297", kDate},
    Advice{"REPORTING_OFF", "ollama",
           "Unknown is not zero: a version after 0.33.2 reports prompt_eval_cached_count.", "",
           "ollama/ollama#17943", kDate},
    Advice{"REPORTING_OFF", "",
           "Unknown is not zero: turn the server's report on, or compare its counters before and after.",
           "--enable-prompt-tokens-details (vLLM), --enable-cache-report (SGLang)", "vllm-project/vllm#18062",
           kDate},
    Advice{"REPORTING_OFF_TIMING_SUGGESTS_HIT", "",
           "Reuse is inferred from timing, not reported: turn the server's report on.",
           "--enable-cache-report (SGLang), --enable-prompt-tokens-details (vLLM)",
           "noonghunna/club-3090#1297", kDate},
    Advice{"REPORTING_DROPPED_BY_GATEWAY", "",
           "A hop drops the cache fields: read the usage at the server itself, or make the hop pass them on.",
           "", kOwn, kDate},
    Advice{"ENGINE_CANNOT_ROLL_BACK", "",
           "The state cannot go back to where the prompts part: keep full attention windows or more "
           "checkpoints, and keep history append-only.",
           "--swa-full, --ctx-checkpoints N, --checkpoint-min-step N", "ggml-org/llama.cpp#13194", kDate},
    Advice{"ENGINE_CANNOT_REUSE", "",
           "The engine keeps no reusable state for this model: use its cache mode for recurrent layers or a "
           "newer version.",
           "", "vllm-project/vllm#51198", kDate},
    Advice{"ENGINE_FEATURE_CONFLICT", "",
           "Measure once with the feature on and once off; the mechanism is not established.", "",
           "weicj/vLLM-2080Ti-Definitive#149", kDate},
    Advice{"BELOW_BLOCK", "",
           "The shared prefix is shorter than one block of the engine: nothing can be reused below that.",
           "--block-size N", "vLLM automatic prefix caching documentation", kDate},
    Advice{"SNAPSHOT_GRID", "", "Reuse goes back only to the last snapshot: use a finer grid of snapshots.",
           "--ctx-checkpoints N, --checkpoint-min-step N", "ollama/ollama#17829", kDate},
    Advice{"SLOT_CONTENTION", "",
           "Each slot has its own cache: warm one slot first, share the cache between slots, or pin a slot.",
           "--kv-unified, id_slot", kOwn, kDate},
    Advice{"EVICTED_BY_SIDE_REQUEST", "",
           "A second request took the slot: give it one of its own and keep a host cache.",
           "-np 2, --cache-ram N", "ggml-org/llama.cpp#22083", kDate},
    Advice{"CONTEXT_TOO_SMALL", "",
           "The context is divided by the slots: give one slot enough for the request.", "-c N --parallel 1",
           "ggml-org/llama.cpp#11681", kDate},
    Advice{"CONTEXT_TRUNCATED", "",
           "The front of the prompt is cut, so its prefix is never equal: raise the context.", "num_ctx",
           "ollama/ollama#16618", kDate},
    Advice{"TTFT_INVALID_BUFFERED", "",
           "A hop buffers the stream: use the server's own timings, or measure without the hop.", "",
           "dstackai/dstack#4269", kDate},
    Advice{"CACHE_OFF_ARM_NOT_COLD", "",
           "Refuse the speed-up: a cold sample counts only when the server reports zero reuse for it.",
           "cache_prompt=false, or a nonce as the first token", "ggml-org/llama.cpp#4288", kDate},
    Advice{"MISLABEL_TRIVIAL_REUSE", "",
           "The warm arm reused next to nothing: a hit is a share of the expected prefix, not a count above "
           "zero.",
           "", kOwn, kDate},
    Advice{"RESPONSE_CACHE_REPLAY", "",
           "A stored reply was returned and no model ran: turn the response cache off, or put a nonce at the "
           "end of the prompt.",
           "", "vasic-digital/claude-code-router docs/API.md", kDate},
    Advice{"USE_DELTA", "",
           "The gauge covers all traffic: take the difference of the counters around your own calls.",
           "vllm:prefix_cache_hits_total / vllm:prefix_cache_queries_total", "1CatAI/1Cat-vLLM#90", kDate},
    Advice{"DIVERGED_NEAR_TIE", "",
           "Two tokens were nearly equal, so another batch shape decides: report the margin, or use a "
           "batch-invariant mode.",
           "VLLM_BATCH_INVARIANT=1, --enable-deterministic-inference (SGLang)", "ggml-org/llama.cpp#28368",
           kDate},
    Advice{"DIVERGED_DEFECT", "",
           "Cached and fresh runs differ beyond the noise of fresh runs: keep the case and report it to the "
           "engine.",
           "", "tenstorrent/vllm#415", kDate},
    Advice{"INCONCLUSIVE_NONDETERMINISTIC", "",
           "Fresh runs differ among themselves: nothing can be said about the cache until the server is "
           "deterministic.",
           "", "ggml-org/llama.cpp#2838", kDate},
    Advice{"TARGET_NOT_LLAMA_SERVER", "",
           "The endpoint is no llama-server: name the server's own address, and check GET /props.",
           "--endpoint URL", kOwn, kDate},
    Advice{"TARGET_IS_POST_ONLY_PROXY", "", "A proxy answers POST only: name the server behind it.",
           "--endpoint URL", kOwn, kDate},
    Advice{"BASE_URL_DOUBLE_V1", "", "Give the base URL without /v1.", "base URL without the trailing /v1",
           "HelixDevelopment/llm docs/OPERATOR_GUIDE.md", kDate},
    Advice{"UNCONFIRMED", "", "Give more: both request bodies, or two replies in a row, or the server's log.",
           "", kOwn, kDate},
};

}  // namespace

const Advice& AdviceFor(std::string_view verdict, std::string_view backend) {
  const Advice* any = &kTable.back();
  for (const Advice& row : kTable) {
    if (row.verdict != verdict) continue;
    if (!row.backend.empty() && row.backend == backend) return row;
    if (row.backend.empty()) any = &row;
  }
  return *any;
}

Json AdviceJson(std::string_view verdict, std::string_view backend) {
  const Advice& advice = AdviceFor(verdict, backend);
  return Json{{"text", advice.text},
              {"setting", advice.setting.empty() ? Json(nullptr) : Json(advice.setting)},
              {"source", advice.source},
              {"as_of", advice.as_of}};
}

bool IsKnownVerdict(std::string_view verdict) {
  for (const Advice& row : kTable)
    if (row.verdict == verdict) return true;
  return false;
}

}  // namespace helix::consistency
