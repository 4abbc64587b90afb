#include "core/experiment/traffic.h"

#include <set>

#include "core/experiment/text_source.h"

namespace helix::experiment {

Result<std::vector<TokenId>> TokenAlphabet(backend::Backend& backend, std::uint64_t seed,
                                           const RunContext& context) {
  constexpr std::size_t kBytes = 20'000;
  auto ids = backend.Tokenize(TextSource(seed).Text(kBytes), false, context);
  if (!ids) return ids;
  std::vector<TokenId> alphabet;
  std::set<TokenId> seen;
  for (const TokenId id : *ids)
    if (seen.insert(id).second) alphabet.push_back(id);
  return alphabet;
}

}  // namespace helix::experiment
