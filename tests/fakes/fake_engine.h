// A fake of vLLM, SGLang, Ollama or a generic OpenAI-compatible server, written from docs/diagnosis.md's
// table of servers: it computes nothing, its cache is a list of prompts, and every trap is a switch. Nothing
// it answers is a measurement of the real server.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::fakes {

struct EnginePersonality {
  std::string kind = "vllm";  // "vllm", "sglang", "ollama", "openai-compatible"
  int block = 16;
  bool caches = true;
  bool reports = true;           // the count of reused tokens is in the reply
  bool leaves_zero_out = false;  // vLLM before June 2026, SGLang's OpenAI routes
  bool times_prefill = true;     // --enable-per-request-metrics, --enable-metrics
  bool has_metrics = true;
  bool can_reset = true;                // VLLM_SERVER_DEV_MODE=1; /flush_cache
  bool reset_lies = false;              // 200, and nothing is gone
  bool reset_is_busy = false;           // {"success": false}; 400
  bool ignores_salt = false;            // a hit crosses namespaces
  bool ignores_key = true;              // one cache for every API key
  bool incremental_ids = false;         // SGLang with --incremental-streaming-output
  bool drops_ids = false;               // a server too old for return_token_ids
  bool pings = false;                   // SSE comments in the stream
  bool cuts_stream = false;             // the last event never comes
  bool error_in_stream = false;         // inside a 200
  bool error_is_a_string = false;       // {"error": "text"}
  bool aborts = false;                  // finish_reason abort
  bool retracts = false;                // SGLang: num_retractions 1
  bool counts_too_many = false;         // more reused than the prompt has
  bool refuses_unknown_fields = false;  // TensorRT-LLM: a 400 for a field it does not know
  int foreign_tokens = 0;               // another client's work appears in the totals at every call
  int totals_lag_calls = 0;             // /metrics shows a call only after it was read this often
  int loading_replies = 0;              // so many 503 first
};

class FakeEngine {
 public:
  explicit FakeEngine(EnginePersonality personality);

  [[nodiscard]] std::string base_url() const { return server_.base_url(); }
  [[nodiscard]] std::vector<ReceivedRequest> requests() const { return server_.requests(); }

 private:
  struct Work {
    std::int64_t prompt = 0;
    std::int64_t cached = 0;
    int output = 1;
    std::vector<int> ids;
  };

  void Answer(const ReceivedRequest& request, FakeConnection& connection);
  void Generate(const ReceivedRequest& request, const Json& body, FakeConnection& connection);
  Work Serve(const std::vector<int>& prompt, const std::string& space, int output);
  void Chat(const Work& work, FakeConnection& connection);
  void Whole(const Work& work, FakeConnection& connection);
  void Stream(const Work& work, FakeConnection& connection);
  Json Object(const Work& work, std::size_t from, std::size_t to, bool last, bool streamed) const;
  void PutUsage(const Work& work, Json& object) const;
  void Reset(FakeConnection& connection);
  std::string MetricsText();

  EnginePersonality is_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::pair<std::string, std::vector<int>>> resident_;
  std::int64_t prompt_total_ = 0, cached_total_ = 0, output_total_ = 0;
  std::int64_t shown_prompt_ = 0, shown_cached_ = 0, shown_output_ = 0;
  int lag_ = 0;
  int loading_ = 0;
  FakeHttpServer server_;  // last: its threads use what is above
};

}  // namespace helix::fakes
