// Text that looks like text, from a seed: prompts are made, never fetched, and the same seed makes the same
// ones on every machine.
#pragma once
#include <cstddef>
#include <string>

#include "core/base/random.h"

namespace helix::experiment {

class TextSource {
 public:
  explicit TextSource(std::uint64_t seed) : random_(seed) {}

  // At least `bytes` of sentences of plain English words, printable ASCII only.
  std::string Text(std::size_t bytes);

 private:
  SplitMix64 random_;
};

}  // namespace helix::experiment
