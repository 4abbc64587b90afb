// Throughput of the SSE parser on a stream of 2,000 token events as llama-server writes them, cut as sockets
// cut them. The ceiling is memchr looking for the line ends of the same bytes; the peer, npm's
// eventsource-parser (what the MCP TypeScript SDK uses), is measured on the same stream by
// sse_parser_peer.mjs.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "core/net/sse_parser.h"

namespace {

constexpr int kEvents = 2000;

std::string Stream() {
  std::string text;
  for (int i = 0; i < kEvents; ++i) {
    text += R"(data: {"index":0,"content":"x","tokens":[123],"stop":false,"id_slot":0,"tokens_predicted":)" +
            std::to_string(i) + R"(,"tokens_evaluated":1088})" + "\n\n";
  }
  return text;
}

void ParseInPieces(benchmark::State& state) {
  const std::string text = Stream();
  const auto piece = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    std::size_t bytes = 0;
    helix::net::SseParser parser([&](const helix::net::SseEvent& e) { bytes += e.data.size(); });
    for (std::size_t at = 0; at < text.size(); at += piece) {
      if (!parser.Feed(std::string_view(text).substr(at, piece), 0)) state.SkipWithError("refused");
    }
    if (!parser.Finish() || parser.events() != kEvents) state.SkipWithError("events were lost");
    benchmark::DoNotOptimize(bytes);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetItemsProcessed(state.iterations() * kEvents);
}
BENCHMARK(ParseInPieces)->ArgName("bytes")->Arg(1)->Arg(128)->Arg(1460)->Arg(65536);

void CeilingFindLineEnds(benchmark::State& state) {
  const std::string text = Stream();
  for (auto _ : state) {
    int lines = 0;
    const char* end = text.data() + text.size();
    for (const char* at = text.data(); at < end; ++lines) {
      const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
      at = static_cast<const char*>(found) + 1;
    }
    benchmark::DoNotOptimize(lines);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(CeilingFindLineEnds);

}  // namespace

BENCHMARK_MAIN();
