#include "core/consistency/text_sections.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <regex>
#include <string>

namespace helix::consistency {
namespace {

constexpr int kLinesBack = 400;
constexpr std::size_t kLongestLine = 200;  // a longer line is never a heading; keeps std::regex shallow

// A regex, and a cheap question whose no is certain: most lines hold nothing that it could match.
struct LinePattern {
  std::regex regex;
  bool (*possible)(std::string_view lower);
};

bool Matches(std::string_view line, const LinePattern& pattern) {
  std::string head(line.substr(0, kLongestLine));
  std::string lower = head;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return pattern.possible(lower) && std::regex_search(head, pattern.regex);
}

bool HasOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// A full stop before a letter, as in "notes.md" and not at the end of a sentence.
bool HasFileName(std::string_view lower) {
  for (std::size_t at = lower.find('.'); at != std::string_view::npos; at = lower.find('.', at + 1))
    if (at + 1 < lower.size() && lower[at + 1] >= 'a' && lower[at + 1] <= 'z') return true;
  return false;
}

bool Always(std::string_view) {
  return true;
}

bool NamesGit(std::string_view lower) {
  return HasOneOf(lower, {"git", "branch", "commit", "files", "working", "stage", "tracked"});
}

bool AnnouncesFile(std::string_view lower) {
  return HasFileName(lower) || HasOneOf(lower, {"<", "```", "#", "content", "tree", "listing", "structure",
                                                "layout", "files", "tabs"});
}

bool EndsFile(std::string_view lower) {
  return HasOneOf(lower, {"</", "```", "#", "<env>", "gitstatus"});
}

// The line before the one that starts at `begin`; moves `begin` to its start. nullopt at the top.
std::optional<std::string_view> LineBefore(std::string_view text, std::size_t& begin) {
  if (begin == 0) return std::nullopt;
  const std::size_t end = begin - 1;
  const std::size_t newline = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  begin = newline == std::string_view::npos ? 0 : newline + 1;
  return text.substr(begin, end - begin);
}

std::size_t LineStart(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  if (at == 0) return 0;
  const std::size_t newline = text.rfind('\n', at - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

const LinePattern& GitHeading() {
  static const LinePattern pattern = {
      std::regex(
          "git[ _-]?status|git (?:state|snapshot|log|diff)|current branch|main branch|recent commits|changed "
          "files|"
          "working (?:tree|copy|directory) (?:status|state|changes)|uncommitted|unstaged|staged|untracked",
          std::regex::icase),
      NamesGit};
  return pattern;
}

const LinePattern& GitLine() {
  static const LinePattern pattern = {
      std::regex("^\\s?[MADRCUT?!]{1,2}\\s+\\S|^\\s*(?:modified|deleted|renamed|new file|both "
                 "modified):|^[0-9a-f]{7,40}\\s|"
                 "nothing to commit|\\(clean\\)|\\bclean\\b|untracked files|"
                 "your branch is|changes (?:not )?(?:staged|to be)|^## |[0-9]+ files? "
                 "changed|^\\s*[-*]\\s*[0-9a-f]{7,40}\\b",
                 std::regex::icase),
      Always};
  return pattern;
}

// "Current branch: main": heading and value on one line.
const LinePattern& GitField() {
  static const LinePattern pattern = {std::regex("^\\s*(?:[-*#]\\s*)?(?:git[ _-]?status|(?:current |main "
                                                 ")?branch|recent commits|head)\\b[^:]{0,30}:",
                                                 std::regex::icase),
                                      Always};
  return pattern;
}

const LinePattern& FileHeading() {
  static const LinePattern pattern = {
      std::regex(
          "contents? of\\b|<(?:file|document|attachment|source|memory|notes?)\\b|^```\\S*[./]\\S+|"
          "^\\s*(?:#+|---+|===+|\\*\\*|file:|path:|@)\\s*[\\w./~ "
          "-]*\\w\\.(?:md|txt|json|ya?ml|toml|ini|cfg|py|go|rs|js|"
          "tsx?|jsx?|c|cc|cpp|h|hpp|java|rb|sh|sql|html|css|xml|csv|lock|log)\\b|^#+\\s*(?:memory|todo)\\b|"
          "(?:file|directory|folder|project|workspace) (?:tree|listing|structure|layout|files)|open "
          "(?:files|tabs)\\b",
          std::regex::icase),
      AnnouncesFile};
  return pattern;
}

const LinePattern& FileEnd() {
  static const LinePattern pattern = {
      std::regex("^\\s*</(?:file|document|attachment|source|memory|notes?|system-reminder)>|^```\\s*$|"
                 "^#+\\s*(?:environment|env|current "
                 "?date|instructions?|rules?|tools?|session|system)\\b|^<env>|^gitstatus",
                 std::regex::icase),
      EndsFile};
  return pattern;
}

}  // namespace

std::string_view LineAt(std::string_view text, std::size_t at) {
  const std::size_t begin = LineStart(text, at);
  const std::size_t end = text.find('\n', begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

bool InGitStatus(std::string_view text, std::size_t at) {
  std::size_t begin = LineStart(text, at);
  if (Matches(LineAt(text, at), GitField())) return true;
  if (!Matches(LineAt(text, at), GitLine())) return false;
  for (int i = 0; i < kLinesBack; ++i) {
    const auto line = LineBefore(text, begin);
    if (!line) return false;
    if (Matches(*line, GitHeading())) return true;
    if (!line->empty() && line->front() == '#') return false;
  }
  return false;
}

bool InEmbeddedFile(std::string_view text, std::size_t at) {
  std::size_t begin = LineStart(text, at);
  if (Matches(LineAt(text, at), FileHeading())) return true;
  if (at > begin && Matches(LineAt(text, at), FileEnd())) return false;
  for (int i = 0; i < kLinesBack; ++i) {
    const auto line = LineBefore(text, begin);
    if (!line) return false;
    if (Matches(*line, FileHeading())) return true;
    if (Matches(*line, FileEnd())) return false;
  }
  return false;
}

}  // namespace helix::consistency
