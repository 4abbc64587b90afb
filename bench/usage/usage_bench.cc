// Reading usage from streams, and compressing a tool's output. CPU time; one thread.
#include <benchmark/benchmark.h>

#include "core/levers/block.h"
#include "core/usage/usage_stream.h"

namespace {

// A chat stream of about `bytes`: text deltas, the finish reason, the usage chunk.
std::string ChatStream(std::size_t bytes) {
  std::string body;
  while (body.size() < bytes) {
    body +=
        "data: "
        "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\","
        "\"choices\":[{\"index\":0,"
        "\"delta\":{\"content\":\" several words of text\"},\"finish_reason\":null}],\"usage\":null}\n\n";
  }
  return body +
         "data: "
         "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":"
         "\"stop\"}]}\n\n"
         "data: "
         "{\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_"
         "tokens\":5}}\n\n"
         "data: [DONE]\n\n";
}

std::string MessagesStream(std::size_t bytes) {
  std::string body =
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1,"
      "\"cache_read_input_tokens\":9,\"output_tokens\":1}}}\n\n";
  while (body.size() < bytes) {
    body +=
        "event: content_block_delta\ndata: "
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\","
        "\"text\":\" several words of text\"}}\n\n";
  }
  return body +
         "event: message_delta\ndata: "
         "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":"
         "7}}\n\n"
         "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
}

void Read(benchmark::State& state, const std::string& body) {
  for (auto _ : state) {
    helix::usage::UsageStream stream;
    if (!stream.Feed(body)) state.SkipWithError("the stream was refused");
    auto reply = stream.Finish();
    if (!reply.usage.out_total.present()) state.SkipWithError("no usage was found");
    benchmark::DoNotOptimize(reply);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * body.size()));
}

void BM_UsageOfChatStream(benchmark::State& state) {
  Read(state, ChatStream(1 << 20));
}
void BM_UsageOfMessagesStream(benchmark::State& state) {
  Read(state, MessagesStream(1 << 20));
}
BENCHMARK(BM_UsageOfChatStream)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_UsageOfMessagesStream)->Unit(benchmark::kMillisecond);

std::string PrettyRows(std::size_t bytes) {
  std::string out = "[\n";
  for (int i = 0; out.size() < bytes; ++i) {
    out += std::string(i > 0 ? ",\n" : "") + "  {\n    \"id\": " + std::to_string(i) +
           ",\n    \"name\": \"service\",\n    \"ok\": true\n  }";
  }
  return out + "\n]";
}

std::string Log(std::size_t bytes) {
  std::string out;
  for (int i = 0; out.size() < bytes; ++i) {
    out += "2026-12-01T06:00:00Z INFO request " + std::to_string(i) + " served in " +
           std::to_string(20 + i % 5) + " ms\n";
  }
  return out;
}

void Compress(benchmark::State& state, const std::string& block) {
  for (auto _ : state) {
    auto result = helix::levers::CompressBlock(block, helix::levers::EstimateTokens);
    if (result.applied.empty()) state.SkipWithError("nothing was compressed");
    benchmark::DoNotOptimize(result);
  }
}
void BM_CompressOneMegabyteOfJson(benchmark::State& state) {
  Compress(state, PrettyRows(1 << 20));
}
void BM_CompressOneMegabyteOfLog(benchmark::State& state) {
  Compress(state, Log(1 << 20));
}
BENCHMARK(BM_CompressOneMegabyteOfJson)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_CompressOneMegabyteOfLog)->Unit(benchmark::kMillisecond);

}  // namespace
