// Which section of a prompt text a byte belongs to: a git status snapshot, or the content of a file.
#pragma once
#include <cstddef>
#include <string_view>

namespace helix::consistency {

// True when the line at `at` is part of a git snapshot: it looks like git output (a porcelain line, a branch,
// a commit) and stands below a line that announces git's state.
bool InGitStatus(std::string_view text, std::size_t at);

// True when byte `at` lies inside a file, memory or directory listing that was pasted into the text: below a
// line that announces one ("Contents of X:", "<file path=...>", "# MEMORY.md", a fence with a file name) and
// before its end.
bool InEmbeddedFile(std::string_view text, std::size_t at);

// The line that holds byte `at`, without its newline.
std::string_view LineAt(std::string_view text, std::size_t at);

}  // namespace helix::consistency
