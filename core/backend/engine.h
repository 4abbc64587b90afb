// What the adapters of vLLM, SGLang, Ollama and generic OpenAI-compatible servers share: one request at a
// time, whole or streamed, read defensively, with what the server reports learnt from its replies and never
// assumed.
#pragma once
#include <optional>
#include <string>

#include "core/backend/backend.h"
#include "core/backend/llama_http.h"

namespace helix::backend {

struct EngineOptions {
  std::string base_url;                // scheme://host:port, already checked against the endpoint policy
  std::optional<std::string> api_key;  // sent as a bearer token
  std::string model;                   // empty: the first that the server names
  Millis silence_limit{600'000};       // longest silence while an answer is waited for
};

// A reply as it is put together from one object or from the events of a stream.
struct EngineRead {
  GenerateReply reply;
  std::optional<std::int64_t> first_token_ns;  // when the first event with a token or text arrived
  std::int64_t tokens_at_first = 0;
  bool finished = false;     // the server said why it ended
  bool ids_complete = true;  // false once a chunk came without the ids of its text
};

class EngineBackend : public Backend {
 public:
  explicit EngineBackend(const EngineOptions& options);

  [[nodiscard]] Capabilities capabilities() const override;
  // kRefused for what this server cannot do: token ids where it takes text only, a cold call where it has no
  // way to make one. kProtocol for a reply that contradicts itself: more reused than the prompt has, an
  // aborted or retracted request, an error inside a 200.
  Result<GenerateReply> Generate(const GenerateRequest& request, const RunContext& context) override;
  Result<std::vector<TokenId>> Tokenize(const std::string& text, bool add_special,
                                        const RunContext& context) override;
  Status WaitIdle(Millis timeout, const RunContext& context) override;
  Result<Json> Metrics(const RunContext& context) override;
  // Totals change with the server's own step, not with the reply: read until two readings agree.
  Result<WorkCounters> Work(const RunContext& context) override;
  [[nodiscard]] std::string boot_id() const override { return boot_id_; }

 protected:
  virtual std::string GeneratePath() const = 0;
  virtual Json Body(const GenerateRequest& request, const std::string& salt) const = 0;
  // One object: the whole reply, or the data of one stream event.
  virtual Status Read(const Json& object, bool streamed, std::int64_t t_ns, EngineRead& read) const = 0;
  // From the totals of /metrics.
  virtual WorkCounters Counters(const Json& metrics) const;
  virtual std::optional<double> Running(const Json& metrics) const;  // requests being worked on
  // Before a cold call: what has to be done beside the salt. Ollama loads its model anew.
  virtual Status MakeCold(const RunContext& context);
  virtual Json TokenizeBody(const std::string& text, bool add_special) const;

  // GET of JSON; nullopt for anything but a 200 with an object.
  std::optional<Json> GetObject(const std::string& path, const RunContext& context);
  // Reads /metrics once: whether there are any, and what identifies the process.
  void LearnMetrics(const RunContext& context);
  std::string FirstModel(const RunContext& context, Json* entry = nullptr);

  LlamaHttp questions_;    // JSON over HTTP; nothing of llama-server's
  LlamaHttp completions_;  // its connection is opened before a call's clock starts
  std::string model_;
  Capabilities can_;  // by interface; what a reply must prove is false until one does
  std::string boot_id_;
  Json metrics_now_;

 private:
  Status Refuse(const GenerateRequest& request) const;
  Result<EngineRead> Whole(const net::HttpRequest& http, const RunContext& context);
  Result<EngineRead> Streamed(const net::HttpRequest& http, const RunContext& context);
  Status Settle(const GenerateRequest& request, EngineRead& read);

  Millis silence_limit_;
  std::uint64_t salts_ = 0;
  bool sent_since_totals_ = false;
  std::optional<WorkCounters> totals_;
};

// The sum of a metric over its label sets; nullopt when the server has none of that name.
std::optional<double> MetricSum(const Json& metrics, const std::string& name);

}  // namespace helix::backend
