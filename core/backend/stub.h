// A fake server for tests and the self-check: it computes nothing and its times come from a formula and a
// seed, on a clock of its own. Everything measured with it is synthetic and can never be a PASS.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/random.h"

namespace helix::backend {

// What to get wrong, so that tests can show it is noticed.
struct StubFaults {
  bool never_reuses = false;            // the cache is off whatever is asked
  bool ignores_the_switch = false;      // reuses even when use_cache is false
  std::int64_t reuses_at_most = -1;     // tokens; -1: no limit
  bool hides_counters = false;          // reports no token counters
  bool claims_reuse_only = false;       // counters say reused, the clock says recomputed
  std::set<int> fails_at_call;          // 0-based Generate calls that end in kProtocol
  int dies_at_call = -1;                // from this Generate call on nothing answers
  bool corrupts_reused_output = false;  // the answer changes when anything was reused
  std::set<int> foreign_work_at_call;   // another client's request was worked on meanwhile
};

struct StubOptions {
  std::uint64_t seed = 1;
  double prefill_us_per_token = 400;
  double decode_us_per_token = 900;
  double noise_sigma = 0.02;  // of ln(time)
  std::int64_t context = 8192;
  StubFaults faults;
};

class Stub : public Backend {
 public:
  explicit Stub(StubOptions options = {});

  Result<Identity> Identify(const RunContext& context) override;
  [[nodiscard]] Capabilities capabilities() const override;
  // One token per byte, plus 1; token 0 is the start token.
  Result<std::vector<TokenId>> Tokenize(const std::string& text, bool add_special,
                                        const RunContext& context) override;
  Result<GenerateReply> Generate(const GenerateRequest& request, const RunContext& context) override;
  [[nodiscard]] Json Parameters(const GenerateRequest& request) const override;
  Status WaitIdle(Millis timeout, const RunContext& context) override;
  Result<Json> Metrics(const RunContext& context) override;
  Result<WorkCounters> Work(const RunContext& context) override;
  Result<std::int64_t> RoundTripNs(const RunContext& context) override;
  [[nodiscard]] std::string boot_id() const override { return "stub"; }

  // The stub's own clock: it advances only by what it pretends to have done.
  [[nodiscard]] std::int64_t NowNs() const { return now_ns_; }

 private:
  std::int64_t Reused(const GenerateRequest& request) const;
  double Noisy(double value);
  void Time(const GenerateRequest& request, std::int64_t processed, GenerateReply& reply);
  GenerateReply Worked(const GenerateRequest& request, int call);
  [[nodiscard]] bool Dead() const;
  std::vector<TokenId> Answer(const GenerateRequest& request, bool reused) const;

  StubOptions options_;
  SplitMix64 random_;
  std::vector<TokenId> slot_;
  std::int64_t now_ns_ = 1'000'000'000;
  int calls_ = 0;
  std::int64_t processed_total_ = 0;
  std::int64_t cached_total_ = 0;
  std::int64_t predicted_total_ = 0;
};

}  // namespace helix::backend
