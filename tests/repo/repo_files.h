// The repository's own files, as the repository tests see them.
#pragma once
#include <string>
#include <vector>

namespace helix::repo {

struct RepoFile {
  std::string path;  // relative to the repository, with '/'
  std::string text;

  [[nodiscard]] bool In(const std::string& folder) const { return path.rfind(folder + "/", 0) == 0; }
  [[nodiscard]] bool Ends(const std::string& suffix) const { return path.ends_with(suffix); }
};

// Every file below `folder` ("" is the whole repository) whose name ends in one of `suffixes`, sorted by
// path. Build folders, version control and installed packages are left out.
std::vector<RepoFile> Files(const std::string& folder, const std::vector<std::string>& suffixes);

// C++ sources of core/ and mcp/.
std::vector<RepoFile> ProductSources();

std::vector<std::string> Lines(const std::string& text);

// True when one of `words` (lower case) stands anywhere in `text`, in whatever case. Cheap, so that a pattern
// is searched only where it can be found.
bool MentionsAny(const std::string& text, const std::vector<std::string>& words);

}  // namespace helix::repo
