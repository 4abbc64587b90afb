#include "core/base/json.h"

#include <cmath>
#include <set>

#include "core/base/file.h"
#include "core/base/json_reader.h"

namespace helix {
namespace {

constexpr std::int64_t kMaxExactInteger = std::int64_t{1} << 53;
constexpr std::size_t kStrictDepth = 128;
constexpr std::size_t kLenientDepth = 256;

// Builds the document while refusing what two parsers could read differently.
class Builder {
 public:
  Builder(bool strict, std::size_t max_depth) : strict_(strict), max_depth_(max_depth) {}

  // nlohmann's SAX interface fixes these names.
  bool null() { return Put(nullptr); }
  bool boolean(bool v) { return Put(v); }
  bool number_integer(std::int64_t v) {
    return Exact(v >= -kMaxExactInteger && v <= kMaxExactInteger) && Put(v);
  }
  bool number_unsigned(std::uint64_t v) { return Exact(v <= std::uint64_t{kMaxExactInteger}) && Put(v); }
  bool number_float(double v, const std::string& text) {
    if (strict_ && text.find_first_of(".eE") == std::string::npos) return Exact(false);
    return Put(v);
  }
  bool string(std::string& v) { return Put(std::move(v)); }
  bool binary(Json::binary_t&) { return Refuse("binary values are not JSON"); }
  bool start_object(std::size_t) { return Open(Json::object()); }
  bool start_array(std::size_t) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(std::string& name) {
    if (strict_ && !keys_.back().insert(name).second) return Refuse("duplicate key \"" + name + "\"");
    Json& slot = (*stack_.back())[name];
    slot = nullptr;
    target_ = &slot;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& e) {
    error_ = e.id == 406 ? "a number that a double cannot hold" : "not valid JSON near '" + token + "'";
    position_ = position;
    return false;
  }

  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::size_t position() const { return position_; }
  Json Take() { return std::move(root_); }

 private:
  bool Refuse(std::string why) {
    error_ = std::move(why);
    return false;
  }
  bool Exact(bool ok) { return !strict_ || ok || Refuse("an integer beyond 2^53"); }
  template <typename V>
  bool Put(V&& value) {
    Place(std::forward<V>(value));
    return true;
  }
  template <typename V>
  Json* Place(V&& value) {
    if (stack_.empty()) {
      root_ = std::forward<V>(value);
      return &root_;
    }
    if (stack_.back()->is_array()) {
      stack_.back()->push_back(std::forward<V>(value));
      return &stack_.back()->back();
    }
    *target_ = std::forward<V>(value);
    return target_;
  }
  bool Open(Json container) {
    if (stack_.size() >= max_depth_) return Refuse("nesting deeper than " + std::to_string(max_depth_));
    stack_.push_back(Place(std::move(container)));
    if (strict_) keys_.emplace_back();
    return true;
  }
  bool Close() {
    stack_.pop_back();
    if (strict_) keys_.pop_back();
    return true;
  }

  bool strict_;
  std::size_t max_depth_;
  Json root_;
  std::vector<Json*> stack_;  // a parent does not grow while a child is open, so these stay valid
  std::vector<std::set<std::string>> keys_;
  Json* target_ = nullptr;
  std::string error_;
  std::size_t position_ = 0;
};

// Counts the bytes the parser has read, so that a refusal can name its position.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at;
  std::size_t* count;
  const char& operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    ++*count;
    return *this;
  }
  CountingIterator operator++(int) {
    auto old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& o) const { return at == o.at; }
  bool operator!=(const CountingIterator& o) const { return at != o.at; }
};

// What the fast reader leaves: a byte-order mark, numbers of extremes, and every error with its position.
Result<Json> ParseSlowly(std::string_view text, bool strict, std::size_t depth) {
  Builder builder(strict, depth);
  std::size_t read = 0;
  bool ok = false;
  try {
    if (strict) {
      ok = Json::sax_parse(CountingIterator{text.data(), &read},
                           CountingIterator{text.data() + text.size(), &read}, &builder);
    } else {
      ok = Json::sax_parse(text.begin(), text.end(), &builder);
    }
  } catch (const std::exception& e) {
    return Fail(ErrorCode::kParse, std::string("not valid JSON: ") + e.what());
  }
  if (ok) return builder.Take();
  std::size_t at = builder.position() != 0 ? builder.position() : read;
  return Fail(ErrorCode::kParse, "JSON refused at byte " + std::to_string(at) + ": " + builder.error());
}

Result<Json> Parse(std::string_view text, bool strict, std::size_t depth) {
  if (auto plain = ReadPlainJson(text, {strict, depth})) return std::move(*plain);
  // The slow parser takes a NUL for the end and would not look at what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return Fail(ErrorCode::kParse,
                "JSON refused at byte " + std::to_string(nul) + ": not valid JSON, a NUL byte");
  return ParseSlowly(text, strict, depth);
}

}  // namespace

Result<Json> ParseStrict(std::string_view text) {
  return Parse(text, true, kStrictDepth);
}

Result<Json> ParseJson(std::string_view text) {
  return Parse(text, false, kLenientDepth);
}

std::string DumpJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string DumpPretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Json> ReadJsonFile(const std::string& path) {
  auto text = ReadFile(path);
  if (!text) return tl::make_unexpected(text.error());
  auto value = ParseStrict(*text);
  if (!value) return Fail(value.error().code, path + ": " + value.error().message, value.error().hint);
  return value;
}

}  // namespace helix
