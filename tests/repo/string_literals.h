// The string literals of a C++ file: what a program can print, without its comments and code.
#pragma once
#include <string>
#include <vector>

namespace helix::repo {

struct StringLiteral {
  int line = 0;
  std::string text;  // as written between the quotes, escapes kept
};

// Plain and raw literals in order. Character literals and comments are skipped.
std::vector<StringLiteral> StringLiterals(const std::string& source);

}  // namespace helix::repo
