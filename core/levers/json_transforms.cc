#include <algorithm>
#include <vector>

#include "core/base/json.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

constexpr std::size_t kFewestRows = 5;

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool OpensContainer(std::string_view block) {
  auto at = block.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (block[at] == '{' || block[at] == '[');
}

// A bare word that no reader can take for a number, a literal, a separator or an empty cell.
bool StandsBare(std::string_view text) {
  if (text.empty() || text == "true" || text == "false" || text == "null") return false;
  auto first = static_cast<unsigned char>(text.front());
  if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.' || first == ' ')
    return false;
  if (text.back() == ' ') return false;
  return text.find_first_of(",\"\n\r\t\\") == std::string_view::npos;
}

// Walks an array of flat objects in text that is known to be JSON. Every value keeps its bytes: building
// values would cost most of the time, and print numbers anew.
class Rows {
 public:
  explicit Rows(std::string_view text) : text_(text) {}

  // One line a row behind the header; nullopt when the rows are not uniform or too few.
  std::optional<std::string> Table() {
    if (!Take('[')) return std::nullopt;
    std::size_t rows = 0;
    do {
      if (!Row(rows == 0)) return std::nullopt;
      ++rows;
    } while (Take(','));
    if (!Take(']') || rows < kFewestRows || keys_.empty()) return std::nullopt;
    std::string out;
    for (auto key : keys_) {
      if (!out.empty()) out += ',';
      Put(key, out);
    }
    return out + lines_;
  }

 private:
  void Blanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  bool Take(char c) {
    Blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // The bytes of a string with its quotes, or of a number or literal; empty at anything else.
  std::string_view Scalar() {
    Blanks();
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
    } else {
      while (at_ < text_.size() &&
             std::string_view(",:]}[{ \n\r\t").find(text_[at_]) == std::string_view::npos)
        ++at_;
    }
    return text_.substr(begin, std::min(at_, text_.size()) - begin);
  }
  bool Row(bool first) {
    if (!Take('{')) return false;
    lines_ += '\n';
    std::size_t column = 0;
    do {
      const auto key = Scalar();
      if (key.empty() || !Take(':')) return false;
      if (first) {
        keys_.push_back(key);
      } else if (column >= keys_.size() || keys_[column] != key) {
        return false;
      }
      const auto value = Scalar();
      if (value.empty()) return false;
      if (column++ > 0) lines_ += ',';
      Put(value, lines_);
    } while (Take(','));
    return Take('}') && column == keys_.size();
  }
  static void Put(std::string_view raw, std::string& out) {
    const bool text = raw.size() >= 2 && raw.front() == '"';
    const auto inner = text ? raw.substr(1, raw.size() - 2) : raw;
    out += text && StandsBare(inner) ? inner : raw;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> keys_;
  std::string lines_;
};

}  // namespace

bool IsJsonContainer(std::string_view block) {
  // Checking builds no values, which is most of the work of parsing.
  return OpensContainer(block) && Json::accept(block.begin(), block.end());
}

std::optional<std::string> MinifyJson(std::string_view block) {
  if (!IsJsonContainer(block)) return std::nullopt;
  return MinifyKnownJson(block);
}

std::optional<std::string> MinifyKnownJson(std::string_view block) {
  std::string out;
  out.reserve(block.size());
  bool in_string = false;
  for (std::size_t i = 0; i < block.size(); ++i) {
    char c = block[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < block.size()) out += block[++i];
      if (c == '"') in_string = false;
    } else if (!IsBlank(c)) {
      out += c;
      in_string = c == '"';
    }
  }
  if (out.size() == block.size()) return std::nullopt;
  return out;
}

std::optional<std::string> TabulateJson(std::string_view block) {
  if (!IsJsonContainer(block)) return std::nullopt;
  return TabulateKnownJson(block);
}

std::optional<std::string> TabulateKnownJson(std::string_view block) {
  return Rows(block).Table();
}

}  // namespace helix::levers
