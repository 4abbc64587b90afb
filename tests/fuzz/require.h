// The promise of a fuzz target: it holds, or the program ends with the line that says what broke.
#pragma once
#include <cstdio>
#include <cstdlib>

#define HELIX_REQUIRE(condition)                                                   \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
