// What to do about each verdict: a dated table of settings, each with its source.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace helix::consistency {

struct Advice {
  std::string_view verdict;
  std::string_view backend;  // empty: any
  std::string_view text;     // one line
  std::string_view setting;  // the exact switch, or empty
  std::string_view source;
  std::string_view as_of;  // when the source was read
};

// The row for the backend, else the one for any backend. Every verdict of the closed list has one.
const Advice& AdviceFor(std::string_view verdict, std::string_view backend);

// {"text","setting" (or null),"source","as_of"}
Json AdviceJson(std::string_view verdict, std::string_view backend);

// True when the verdict is in the closed list.
bool IsKnownVerdict(std::string_view verdict);

}  // namespace helix::consistency
