// The words of a Track B plan: drawn from a seed, with a known length.
#pragma once
#include <string>

#include "core/base/random.h"

namespace helix::tracks {

// Exactly `characters` of it.
std::string FillerWords(SplitMix64& random, std::size_t characters);

// Eight words of six letters, so that all salts have one length in letters and, in the usual vocabularies, in
// tokens. The first letter is neither of `not_first`: nothing is shared with the prompts that begin with
// those.
std::string SaltWords(SplitMix64& random, const std::string& not_first);

// A request whose answer is as long as the limit lets it be, so that both calls of a pair end alike.
// Different for each `number`.
std::string CountingQuestion(int number);

// A word problem with one right whole number.
struct Task {
  std::string question;
  std::string answer;
};
Task WordProblem(SplitMix64& random);

}  // namespace helix::tracks
