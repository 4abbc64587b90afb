// One reader per shape of reply. A reader gets the object that holds the usage and, where they differ, the
// whole reply; it fills the counters and leaves what the reply does not say absent.
#pragma once
#include <string_view>

#include "core/base/json.h"
#include "core/usage/usage.h"

namespace helix::usage {

struct ShapeInput {
  const Json& reply;
  const Json& usage;                // the usage object; the reply itself where a shape has none
  bool input_before_cache = false;  // see Draft
};

// "usage": input_tokens beside cache_read_input_tokens and cache_creation_input_tokens.
void ReadAnthropic(const ShapeInput& in, Reply& out);
// "usage": prompt_tokens; DeepSeek, Moonshot, MiMo, Zhipu, Qwen, OpenRouter, vLLM, SGLang, LM Studio, LiteLLM
// too.
void ReadOpenAiChat(const ShapeInput& in, Reply& out);
// "usage": input_tokens with input_tokens_details or total_tokens; DashScope's own API too.
void ReadOpenAiResponses(const ShapeInput& in, Reply& out);
// "usageMetadata".
void ReadGemini(const ShapeInput& in, Reply& out);
// Converse: inputTokens; invoke: inputTokenCount.
void ReadBedrock(const ShapeInput& in, Reply& out);
// native_tokens_*.
void ReadOpenRouterRecord(const ShapeInput& in, Reply& out);
// llama-server: "timings", with or without "usage".
void ReadLlamaServer(const ShapeInput& in, Reply& out);
// SGLang's /generate: "meta_info".
void ReadSglangMeta(const ShapeInput& in, Reply& out);
// Ollama: prompt_eval_count and its kin, durations in nanoseconds.
void ReadOllama(const ShapeInput& in, Reply& out);
// LM Studio's own API: "stats".
void ReadLmStudioStats(const ShapeInput& in, Reply& out);

}  // namespace helix::usage
