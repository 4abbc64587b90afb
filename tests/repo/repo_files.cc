#include "tests/repo/repo_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "core/base/file.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

namespace fs = std::filesystem;

bool LeftOut(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || name == ".git" || name == "node_modules";
}

bool EndsInOne(const std::string& name, const std::vector<std::string>& suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](const std::string& s) { return name.ends_with(s); });
}

}  // namespace

std::vector<RepoFile> Files(const std::string& folder, const std::vector<std::string>& suffixes) {
  const fs::path root = testing_support::SourceDir();
  std::vector<RepoFile> files;
  for (auto it = fs::recursive_directory_iterator(root / folder); it != fs::recursive_directory_iterator();
       ++it) {
    if (it->is_directory() && LeftOut(it->path())) it.disable_recursion_pending();
    if (!it->is_regular_file() || !EndsInOne(it->path().filename().string(), suffixes)) continue;
    if (auto text = ReadFile(it->path().string())) {
      files.push_back({fs::relative(it->path(), root).generic_string(), *text});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<RepoFile> ProductSources() {
  auto files = Files("core", {".h", ".cc"});
  auto more = Files("mcp", {".h", ".cc"});
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool MentionsAny(const std::string& text, const std::vector<std::string>& words) {
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return lower.find(word) != std::string::npos; });
}

}  // namespace helix::repo
