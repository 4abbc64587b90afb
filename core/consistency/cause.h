// What a diagnosis says about one break: the verdict of the closed list, and what it rests on.
#pragma once
#include <cstddef>
#include <string>

namespace helix::consistency {

struct Cause {
  std::string verdict;  // closed list of diagnose_miss
  std::string
      detector;  // "clock", "date", "uuid", "hash", "id", "git_status", ... ; empty when none is needed
  std::string evidence;  // one sentence of fact
};

// A piece of text, by byte offsets.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool Holds(std::size_t at) const { return begin <= at && at <= end; }
};

}  // namespace helix::consistency
