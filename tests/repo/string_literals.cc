#include "tests/repo/string_literals.h"

#include <algorithm>
#include <cctype>

namespace helix::repo {
namespace {

class Scanner {
 public:
  explicit Scanner(const std::string& source) : s_(source) {}

  std::vector<StringLiteral> Run() {
    while (at_ < s_.size()) Step();
    return found_;
  }

 private:
  void Step() {
    if (Starts("//")) return SkipTo("\n", at_);
    if (Starts("/*")) return SkipTo("*/", at_ + 2);
    if (Starts("R\"") && !AfterName()) return Raw();
    if (s_[at_] == '"') return Plain();
    if (s_[at_] == '\'' && !AfterName()) return Character();
    ++at_;
  }

  [[nodiscard]] bool Starts(const char* text) const {
    return s_.compare(at_, std::string(text).size(), text) == 0;
  }
  // A quote after a name or digit is a digit separator, and an R there ends an identifier.
  [[nodiscard]] bool AfterName() const {
    return at_ > 0 && (std::isalnum(static_cast<unsigned char>(s_[at_ - 1])) || s_[at_ - 1] == '_');
  }
  // Literals come in order, so each line is counted once.
  int Line(std::size_t position) {
    line_ += static_cast<int>(std::count(Position(counted_), Position(position), '\n'));
    counted_ = position;
    return line_;
  }
  [[nodiscard]] std::string::const_iterator Position(std::size_t at) const {
    return s_.begin() + static_cast<std::ptrdiff_t>(at);
  }

  void SkipTo(const std::string& end, std::size_t from) {
    const auto found = s_.find(end, from);
    at_ = found == std::string::npos ? s_.size() : found + end.size();
  }

  void Plain() {
    const std::size_t start = ++at_;
    while (at_ < s_.size() && s_[at_] != '"') at_ += s_[at_] == '\\' ? 2 : 1;
    found_.push_back({Line(start), s_.substr(start, at_ - start)});
    ++at_;
  }

  void Character() {
    ++at_;
    while (at_ < s_.size() && s_[at_] != '\'') at_ += s_[at_] == '\\' ? 2 : 1;
    ++at_;
  }

  void Raw() {
    const std::size_t open = s_.find('(', at_);
    if (open == std::string::npos) return SkipTo("\n", at_);
    const std::string end = ")" + s_.substr(at_ + 2, open - at_ - 2) + "\"";
    const std::size_t close = std::min(s_.find(end, open), s_.size());
    found_.push_back({Line(open), s_.substr(open + 1, close - open - 1)});
    at_ = std::min(close + end.size(), s_.size());
  }

  const std::string& s_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t counted_ = 0;
  std::vector<StringLiteral> found_;
};

}  // namespace

std::vector<StringLiteral> StringLiterals(const std::string& source) {
  return Scanner(source).Run();
}

}  // namespace helix::repo
