#include "core/levers/json_spans.h"

#include "core/base/json.h"

namespace helix::levers {
namespace {

// Walks a document that ParseJson has accepted, so every step only has to tell where things end.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  std::optional<StringSpan> Find(const std::string& pointer) {
    wanted_ = &pointer;
    Value("");
    return found_;
  }
  std::vector<StringSpan> Take() {
    Value("");
    return std::move(spans_);
  }

 private:
  void Blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  void Value(const std::string& pointer) {
    Blanks();
    if (at_ >= text_.size()) return;
    const std::size_t start = at_;
    Skip(pointer);
    if (wanted_ != nullptr && !found_ && pointer == *wanted_) found_ = StringSpan{pointer, start, at_};
    Blanks();
  }
  void Skip(const std::string& pointer) {
    if (text_[at_] == '"') {
      std::size_t begin = at_;
      SkipString();
      spans_.push_back({pointer, begin, at_});
    } else if (text_[at_] == '{') {
      Object(pointer);
    } else if (text_[at_] == '[') {
      Array(pointer);
    } else {
      while (at_ < text_.size() && std::string_view(",]} \n\t\r").find(text_[at_]) == std::string_view::npos)
        ++at_;
    }
  }
  void SkipString() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void Object(const std::string& pointer) {
    ++at_;
    for (Blanks(); at_ < text_.size() && text_[at_] != '}'; Blanks()) {
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      std::size_t begin = at_;
      SkipString();
      auto key = ParseJson(text_.substr(begin, at_ - begin));
      Blanks();
      ++at_;  // the colon
      Value(pointer + "/" + Escaped(key && key->is_string() ? key->get<std::string>() : ""));
    }
    ++at_;
  }
  void Array(const std::string& pointer) {
    ++at_;
    std::size_t index = 0;
    for (Blanks(); at_ < text_.size() && text_[at_] != ']'; Blanks()) {
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      Value(pointer + "/" + std::to_string(index++));
    }
    ++at_;
  }
  static std::string Escaped(const std::string& key) {
    std::string out;
    for (char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<StringSpan> spans_;
  const std::string* wanted_ = nullptr;
  std::optional<StringSpan> found_;
};

}  // namespace

Result<std::vector<StringSpan>> FindStrings(std::string_view body) {
  auto parsed = ParseJson(body);
  if (!parsed) return tl::make_unexpected(parsed.error());
  return Walker(body).Take();
}

std::optional<StringSpan> FindValue(std::string_view body, const std::string& pointer) {
  return Walker(body).Find(pointer);
}

std::string Splice(std::string_view body, const std::vector<Edit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const auto& edit : edits) {
    out += body.substr(at, edit.begin - at);
    out += edit.raw ? edit.text : DumpJson(Json(edit.text));
    at = edit.end;
  }
  out += body.substr(at);
  return out;
}

}  // namespace helix::levers
