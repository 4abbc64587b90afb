#include "core/tracks/track_b/plan_text.h"

#include <array>

namespace helix::tracks {
namespace {

// Six letters each, no two with the same first letter.
constexpr std::array<const char*, 16> kWords = {"market", "window", "copper", "garden", "letter", "bridge",
                                                "silver", "valley", "engine", "harbor", "forest", "planet",
                                                "doctor", "island", "orange", "kettle"};

const char* Word(SplitMix64& random) {
  return kWords[random.Below(kWords.size())];
}

}  // namespace

std::string FillerWords(SplitMix64& random, std::size_t characters) {
  std::string text;
  while (text.size() < characters) {
    text += Word(random);
    text += random.Below(12) == 0 ? ".\n" : " ";
  }
  text.resize(characters);
  return text;
}

std::string SaltWords(SplitMix64& random, const std::string& not_first) {
  std::string first = Word(random);
  while (not_first.find(first.front()) != std::string::npos) first = Word(random);
  std::string salt = first;
  for (int i = 0; i < 7; ++i) salt += std::string(" ") + Word(random);
  return salt + "\n";
}

std::string CountingQuestion(int number) {
  return "Count upwards from " + std::to_string(1000 + number) +
         " by one, a number a line and nothing else. Do not stop before you reach 9999.";
}

Task WordProblem(SplitMix64& random) {
  const auto boxes = 3 + random.Below(17);
  const auto each = 4 + random.Below(26);
  const auto broken = 1 + random.Below(boxes * each / 2);
  const std::string thing = Word(random);
  std::string question =
      "A ship brings " + std::to_string(boxes) + " boxes with " + std::to_string(each) + " " + thing +
      " parts in each. " + std::to_string(broken) +
      " of the parts are broken. How many parts are whole? End your answer with the number.";
  return {question, std::to_string(boxes * each - broken)};
}

}  // namespace helix::tracks
