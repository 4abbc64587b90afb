// The toy transformer as a model server: slots with a prefix cache, greedy sampling, log-probabilities,
// counters. A fake: it proves things about our oracle, never about a server.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "tests/fakes/toy_mutant.h"

namespace helix::fakes {

// What a server is free to do differently without being wrong.
struct ToyShape {
  int ubatch = 512;
  int threads = 1;
  // true: micro-batches of 8 rows or more sum in another order than smaller ones, as real kernels do. false:
  // one order for all, and everything is equal to the bit.
  bool shape_sensitive = false;
};

struct ToyOptions {
  std::uint64_t seed = 1;
  ToyShape shape;
  ToyShape cached_shape;  // of requests that reuse something; the default is `shape`'s default too
  ToyMutant mutant = ToyMutant::kNone;
  bool restart_before_reuse = false;  // the slot is saved, the server restarted, the slot restored
  bool fresh_is_noisy = false;        // the fresh arm disagrees with itself
  bool no_token_ids = false;
  bool ignores_the_switch = false;  // reuses even when use_cache is false
};

// Not thread-safe.
class ToyBackend : public backend::Backend {
 public:
  explicit ToyBackend(ToyOptions options);

  Result<backend::Identity> Identify(const RunContext& context) override;
  [[nodiscard]] backend::Capabilities capabilities() const override;
  // One token per byte, modulo the vocabulary.
  Result<std::vector<TokenId>> Tokenize(const std::string& text, bool add_special,
                                        const RunContext& context) override;
  Result<backend::GenerateReply> Generate(const backend::GenerateRequest& request,
                                          const RunContext& context) override;
  Status WaitIdle(Millis timeout, const RunContext& context) override;
  Result<Json> Metrics(const RunContext& context) override;
  Result<std::int64_t> RoundTripNs(const RunContext& context) override;
  [[nodiscard]] std::string boot_id() const override { return "toy"; }

 private:
  struct Slot {
    std::vector<TokenId> tokens;
    KvCache cells;
    std::vector<float> last_logits;
  };
  struct Run {
    std::vector<TokenId> prompt;
    std::size_t reused = 0;
    std::vector<TokenId> banned;
    std::vector<float> logits;
    ToyShape shape;
  };
  std::size_t Match(const Slot& slot, const std::vector<TokenId>& prompt) const;
  void Attach(Slot& slot, Run& run);
  void Prefill(Slot& slot, Run& run) const;
  void Decode(const backend::GenerateRequest& request, Slot& slot, Run& run, backend::GenerateReply& reply);
  TokenId Take(const Run& run, const std::vector<float>& logprobs);

  ToyOptions options_;
  ToyModel model_;
  std::map<int, Slot> slots_;
  int serial_ = 0;
  int number_ = 0;  // of this server among those of the process
};

}  // namespace helix::fakes
