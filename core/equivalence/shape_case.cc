#include "core/equivalence/shape_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/random.h"

namespace helix::equivalence {
namespace {

// At least as long as this for the tokens that follow a shared prefix at a boundary: the smallest boundary
// is 15.
constexpr std::int64_t kBoundarySuffix = 8;
constexpr std::int64_t kSuffix = 16;
constexpr std::int64_t kShortestPrompt = 64;

std::string Words(SplitMix64& random, std::int64_t count) {
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) {
    out += ' ';
    const std::uint64_t letters = 3 + random.Below(5);
    for (std::uint64_t j = 0; j < letters; ++j) out += static_cast<char>('a' + random.Below(26));
  }
  return out;
}

// Lengths spread, so that no case repeats another's place in the micro-batch grid.
std::int64_t LengthOf(const ShapePlan& plan, int prompt) {
  return plan.length + 37 * prompt % plan.spread;
}

std::vector<TokenId> Joined(std::vector<TokenId> head, const std::vector<TokenId>& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

std::int64_t CommonPrefix(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return static_cast<std::int64_t>(i);
}

void AddBoundary(PromptSource& source, const ShapePlan& plan, std::int64_t boundary, PlannedShapes& out) {
  for (const std::int64_t length : {boundary - 1, boundary, boundary + 1}) {
    out.cases.push_back(ExactRepeat(source, length, plan.boundary_tokens));
    out.cases.back().boundary = boundary;
    if (!plan.boundary_extensions) continue;
    out.cases.push_back(PrefixExtension(source, length, kBoundarySuffix, plan.boundary_tokens));
    out.cases.back().boundary = boundary;
  }
}

}  // namespace

Result<PromptSource> PromptSource::Make(backend::Backend& backend, std::uint64_t seed, std::int64_t total,
                                        const RunContext& context) {
  PromptSource out;
  auto start = backend.Tokenize("", true, context);
  if (!start) return tl::make_unexpected(start.error());
  out.start_ = *std::move(start);
  SplitMix64 random(seed);
  auto pool = backend.Tokenize(Words(random, total), false, context);
  if (!pool) return tl::make_unexpected(pool.error());
  if (static_cast<std::int64_t>(pool->size()) < total) {
    return Fail(
        ErrorCode::kProtocol,
        fmt::format("the tokenizer gave {} tokens for {} random words", pool->size(), total),
        "a tokenizer gives at least one token per word of random letters: check the server's /tokenize");
  }
  out.pool_ = *std::move(pool);
  return out;
}

std::vector<TokenId> PromptSource::Continuation(std::int64_t length) {
  std::vector<TokenId> out;
  for (std::int64_t i = 0; i < length; ++i) out.push_back(pool_[next_++ % pool_.size()]);
  return out;
}

std::vector<TokenId> PromptSource::Prompt(std::int64_t length) {
  const auto start = static_cast<std::int64_t>(start_.size());
  return Joined(start_, Continuation(std::max<std::int64_t>(length - start, 1)));
}

ShapeCase ExactRepeat(PromptSource& source, std::int64_t length, int output_tokens) {
  ShapeCase out;
  out.shape = "exact_repeat";
  out.prompt = source.Prompt(length);
  out.prime = out.prompt;
  out.shared = static_cast<std::int64_t>(out.prompt.size());
  out.output_tokens = output_tokens;
  return out;
}

ShapeCase PrefixExtension(PromptSource& source, std::int64_t prefix, std::int64_t suffix, int output_tokens) {
  ShapeCase out;
  out.shape = "prefix_extension";
  out.prime = source.Prompt(prefix);
  out.prompt = Joined(out.prime, source.Continuation(suffix));
  out.shared = static_cast<std::int64_t>(out.prime.size());
  out.output_tokens = output_tokens;
  return out;
}

ShapeCase PartialOverlap(PromptSource& source, std::int64_t prefix, std::int64_t suffix, int output_tokens) {
  ShapeCase out = PrefixExtension(source, prefix, suffix, output_tokens);
  out.shape = "partial_overlap";
  out.prime = Joined(std::move(out.prime), source.Continuation(suffix));
  out.shared = CommonPrefix(out.prime, out.prompt);
  return out;
}

void AddServerBoundaries(ShapePlan& plan, std::int64_t block_size, std::int64_t ubatch) {
  for (const std::int64_t own : {block_size, ubatch}) {
    if (own >= 16 && own <= 4096) plan.boundaries.push_back(own);
  }
  std::sort(plan.boundaries.begin(), plan.boundaries.end());
  plan.boundaries.erase(std::unique(plan.boundaries.begin(), plan.boundaries.end()), plan.boundaries.end());
}

Status FitToContext(ShapePlan& plan, std::int64_t context) {
  plan.longest = context;
  const std::int64_t room = context - plan.output_tokens - 2 * kSuffix;
  if (room < kShortestPrompt) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a context of {} tokens holds no prompt beside {} output tokens", context,
                            plan.output_tokens),
                "ask for fewer output tokens, or start the server with a larger -c");
  }
  plan.length = std::min(plan.length, std::max(kShortestPrompt, room - plan.spread));
  plan.spread = std::max<std::int64_t>(1, std::min(plan.spread, room - plan.length));
  return {};
}

PlannedShapes BuildShapes(PromptSource& source, const ShapePlan& plan) {
  PlannedShapes out;
  for (int i = 0; i < plan.prompts; ++i) {
    const std::int64_t length = LengthOf(plan, i);
    if (i % 3 == 0) out.cases.push_back(PrefixExtension(source, length, kSuffix, plan.output_tokens));
    if (i % 3 == 1) out.cases.push_back(ExactRepeat(source, length, plan.output_tokens));
    if (i % 3 == 2) out.cases.push_back(PartialOverlap(source, length, kSuffix, plan.output_tokens));
  }
  for (const std::int64_t boundary : plan.boundaries) {
    if (plan.longest > 0 && boundary + 1 + kBoundarySuffix + plan.boundary_tokens > plan.longest) {
      out.left_out.push_back(boundary);
    } else {
      AddBoundary(source, plan, boundary, out);
    }
  }
  return out;
}

std::int64_t TokensNeeded(const ShapePlan& plan) {
  std::int64_t total = 0;
  for (int i = 0; i < plan.prompts; ++i) total += LengthOf(plan, i) + 2 * kSuffix;
  for (const std::int64_t boundary : plan.boundaries) total += 6 * (boundary + 1) + 3 * kBoundarySuffix;
  return total;
}

}  // namespace helix::equivalence
