#include "core/experiment/workload.h"

#include "core/evidence/digest.h"
#include "core/experiment/text_source.h"

namespace helix::experiment {
namespace {

constexpr std::size_t kBytesPerToken = 6;  // a first guess; the text is doubled until there are enough tokens
constexpr int kDoublings = 8;

Result<std::vector<TokenId>> ExactTokens(backend::Backend& backend, TextSource& source, int count,
                                         bool add_special, const RunContext& context) {
  std::string text = source.Text(static_cast<std::size_t>(count) * kBytesPerToken);
  for (int i = 0; i < kDoublings; ++i) {
    auto ids = backend.Tokenize(text, add_special, context);
    if (!ids) return ids;
    if (ids->size() >= static_cast<std::size_t>(count)) {
      ids->resize(static_cast<std::size_t>(count));
      return ids;
    }
    text += source.Text(text.size());
  }
  return Fail(ErrorCode::kProtocol, "the server's tokenizer made fewer than " + std::to_string(count) +
                                        " tokens of " + std::to_string(text.size()) + " bytes of text");
}

Result<PairPrompt> MakePair(backend::Backend& backend, TextSource& source, const Shape& shape,
                            bool with_control, const RunContext& context) {
  PairPrompt pair;
  pair.prefix_tokens = shape.prefix_tokens;
  auto prefix = ExactTokens(backend, source, shape.prefix_tokens, true, context);
  if (!prefix) return tl::make_unexpected(std::move(prefix.error()));
  auto turn = ExactTokens(backend, source, shape.new_tokens, false, context);
  if (!turn) return tl::make_unexpected(std::move(turn.error()));
  pair.prompt = std::move(*prefix);
  pair.prompt.insert(pair.prompt.end(), turn->begin(), turn->end());
  if (!with_control) return pair;
  auto other = ExactTokens(backend, source, shape.prefix_tokens, true, context);
  if (!other) return tl::make_unexpected(std::move(other.error()));
  pair.control = std::move(*other);
  pair.control.insert(pair.control.end(), turn->begin(), turn->end());
  return pair;
}

}  // namespace

Result<Workload> MakeWorkload(backend::Backend& backend, const Shape& shape, std::uint64_t seed,
                              const RunContext& context) {
  Workload workload;
  workload.description = {{"kind", "generated"}, {"generator", "helix-text/1"}, {"seed", seed}};
  TextSource source(seed);
  for (int i = 0; i < shape.warmup_pairs + shape.pairs; ++i) {
    const int measured = i - shape.warmup_pairs;
    const bool with_control = shape.control_every > 0 && measured >= 0 && measured % shape.control_every == 0;
    auto pair = MakePair(backend, source, shape, with_control, context);
    if (!pair) return tl::make_unexpected(std::move(pair.error()));
    workload.pairs.push_back(std::move(*pair));
  }
  return workload;
}

std::string TokensSha256(const std::vector<TokenId>& tokens) {
  return evidence::Sha256Hex(DumpJson(Json(tokens)));
}

}  // namespace helix::experiment
