// Asks a server one prompt in the arms of the comparison: cached, fresh, fresh again.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/equivalence/arm_output.h"
#include "core/equivalence/shape_case.h"

namespace helix::equivalence {

// Keeps the raw bytes and gives back their digest.
using EvidenceSink = std::function<Result<std::string>(const std::string& bytes)>;

struct Answer {
  ArmOutput output;
  std::string request_sha256;  // of what was sent; the response's digest is in `output`
};

struct ArmAnswers {
  Answer cached;
  Answer fresh;
  Answer fresh_again;
};

struct ArmOptions {
  int top_logprobs = 5;
  int slot = 0;
  EvidenceSink evidence;  // may be empty: nothing is kept
};

// One request in flight, always the same slot. Errors of the backend are passed on: half a comparison is
// none.
class ArmRunner {
 public:
  ArmRunner(backend::Backend& backend, ArmOptions options, const RunContext& context)
      : backend_(backend), options_(std::move(options)), context_(context) {}

  Result<Answer> Ask(const std::vector<TokenId>& prompt, bool use_cache, int output_tokens);
  // The same on another server of the same model (the control arm).
  Result<Answer> AskOn(backend::Backend& other, const std::vector<TokenId>& prompt, int output_tokens);
  // Fills the cache with `prime` computed from nothing, so that what is reused later was never itself reused.
  Status Prime(const std::vector<TokenId>& prime);
  // Prime, cached, then fresh twice.
  Result<ArmAnswers> Run(const ShapeCase& shape);

  [[nodiscard]] const RunContext& context() const { return context_; }

 private:
  Result<Answer> Send(backend::Backend& to, const std::vector<TokenId>& prompt, bool use_cache,
                      int output_tokens);

  backend::Backend& backend_;
  ArmOptions options_;
  const RunContext& context_;
};

}  // namespace helix::equivalence
