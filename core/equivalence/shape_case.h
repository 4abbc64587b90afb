// One prompt that is asked cached and fresh, and how it lies to the boundaries of the cache.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace helix::equivalence {

using backend::TokenId;

struct ShapeCase {
  std::string shape;           // exact_repeat, prefix_extension, partial_overlap, turn
  std::int64_t boundary = 0;   // the length this case stands at or beside; 0: none
  std::vector<TokenId> prime;  // what is put into the cache; empty: the conversation that the slot holds
  std::vector<TokenId> prompt;
  std::int64_t shared = 0;  // leading tokens that the cache and the prompt have in common
  int output_tokens = 64;
  std::vector<std::int64_t> turn_starts;

  // What a server that reuses single tokens takes from the cache: one token must always be computed.
  [[nodiscard]] std::int64_t ExpectedReuse() const {
    return std::min<std::int64_t>(shared, static_cast<std::int64_t>(prompt.size()) - 1);
  }
};

// Tokens of random lower-case words, as the server's own tokenizer gives them. Every Take is fresh text; all
// start with the tokenizer's start token where it has one.
class PromptSource {
 public:
  // Tokenizes enough text for `total` tokens. kProtocol when the tokenizer gives fewer tokens than words.
  static Result<PromptSource> Make(backend::Backend& backend, std::uint64_t seed, std::int64_t total,
                                   const RunContext& context);
  // A whole prompt of `length` tokens, start token included; the pool is read round and round.
  std::vector<TokenId> Prompt(std::int64_t length);
  // `length` tokens that continue something.
  std::vector<TokenId> Continuation(std::int64_t length);

 private:
  std::vector<TokenId> start_;
  std::vector<TokenId> pool_;
  std::size_t next_ = 0;
};

// The three ways to hit a prefix. `reused` tokens are shared, `suffix` more are asked.
ShapeCase ExactRepeat(PromptSource& source, std::int64_t length, int output_tokens);
ShapeCase PrefixExtension(PromptSource& source, std::int64_t prefix, std::int64_t suffix, int output_tokens);
// The cache holds another continuation of the same prefix.
ShapeCase PartialOverlap(PromptSource& source, std::int64_t prefix, std::int64_t suffix, int output_tokens);

struct ShapePlan {
  int prompts = 8;            // beside the boundary cases
  int output_tokens = 64;     // of those
  std::int64_t length = 384;  // tokens of the shortest of those
  std::int64_t spread = 512;  // the others are longer by less than this
  std::vector<std::int64_t> boundaries = {16, 32, 64, 256, 512};
  int boundary_tokens = 16;
  bool boundary_extensions = true;  // beside exact repeats, also prefixes that end at the boundary
  std::int64_t longest = 0;         // tokens that prompt and output may take; 0: no limit known
};

// Adds the server's own block and micro-batch size to the boundaries; 0 where unknown.
void AddServerBoundaries(ShapePlan& plan, std::int64_t block_size, std::int64_t ubatch);

// Sets `longest` to the server's context per slot and shortens the prompts until they and their answers fit.
// kInvalidArgument when even short prompts leave no room for the answers.
Status FitToContext(ShapePlan& plan, std::int64_t context);

struct PlannedShapes {
  std::vector<ShapeCase> cases;
  std::vector<std::int64_t> left_out;  // boundaries that do not fit into the server's context
};
PlannedShapes BuildShapes(PromptSource& source, const ShapePlan& plan);
// Tokens that BuildShapes takes from its source, an upper bound.
std::int64_t TokensNeeded(const ShapePlan& plan);

}  // namespace helix::equivalence
