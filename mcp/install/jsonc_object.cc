#include "mcp/install/jsonc_object.h"

#include <algorithm>

#include "core/base/json.h"

namespace helix::mcp {
namespace {

constexpr int kMaxDepth = 128;

class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  Result<JsoncObject> Object(int depth) {
    HELIX_TRY(Space());
    JsoncObject object;
    object.open_at = at_;
    if (Peek() != '{') return Wrong("an object");
    for (++at_;;) {
      HELIX_TRY(Space());
      if (Peek() == '}') break;
      HELIX_TRY(Member(object, depth));
    }
    object.close_at = at_++;
    return object;
  }

  Status End() {
    HELIX_TRY(Space());
    if (at_ != text_.size()) return Wrong("the end of the file");
    return {};
  }

 private:
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  [[nodiscard]] tl::unexpected<Error> Wrong(const std::string& expected) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
    const auto line = 1 + std::count(text_.begin(), end, '\n');
    return Fail(ErrorCode::kParse, "line " + std::to_string(line) + ": expected " + expected,
                "correct the file, then run this again; nothing was written");
  }

  Status Space() {
    for (;;) {
      while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
        ++at_;
      if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const auto close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) return Wrong("the end of this comment");
        at_ = close + 2;
      } else {
        return {};
      }
    }
  }

  Status Member(JsoncObject& object, int depth) {
    JsoncMember member;
    member.key_at = at_;
    HELIX_TRY(String());
    const auto key = ParseJson(text_.substr(member.key_at, at_ - member.key_at));
    if (!key || !key->is_string()) return Wrong("a key");
    member.key = key->get<std::string>();
    if (object.Find(member.key) != nullptr)
      return Wrong("another key, since \"" + member.key + "\" is already there");
    HELIX_TRY(Space());
    if (Peek() != ':') return Wrong("':'");
    ++at_;
    HELIX_TRY(Space());
    member.value_at = at_;
    HELIX_TRY(Value(depth + 1));
    member.value_end = at_;
    HELIX_TRY(Space());
    if (Peek() == ',') {
      member.comma_at = at_++;
    } else if (Peek() != '}') {
      return Wrong("',' or '}'");
    }
    object.members.push_back(std::move(member));
    return {};
  }

  Status Value(int depth) {
    if (depth > kMaxDepth) return Wrong("less nesting");
    if (Peek() == '"') return String();
    if (Peek() == '{') {
      HELIX_TRY(Object(depth));
      return {};
    }
    if (Peek() == '[') return Array(depth);
    return Word();
  }

  Status Array(int depth) {
    for (++at_;;) {
      HELIX_TRY(Space());
      if (Peek() == ']') break;
      HELIX_TRY(Value(depth + 1));
      HELIX_TRY(Space());
      if (Peek() == ',') {
        ++at_;
      } else if (Peek() != ']') {
        return Wrong("',' or ']'");
      }
    }
    ++at_;
    return {};
  }

  Status String() {
    if (Peek() != '"') return Wrong("'\"'");
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') return Wrong("the end of this string");
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ >= text_.size()) return Wrong("the end of this string");
    ++at_;
    return {};
  }

  Status Word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && std::string_view(" \t\r\n,]}/").find(text_[at_]) == std::string_view::npos)
      ++at_;
    if (!ParseJson(text_.substr(start, at_ - start))) {
      at_ = start;
      return Wrong("a value");
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

const JsoncMember* JsoncObject::Find(std::string_view key) const {
  const auto it = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.key == key; });
  return it == members.end() ? nullptr : &*it;
}

Result<JsoncObject> ReadJsoncObject(std::string_view text, std::size_t at) {
  return Reader(text, at).Object(0);
}

Status ExpectJsoncEnd(std::string_view text, std::size_t at) {
  return Reader(text, at).End();
}

}  // namespace helix::mcp
