#include "core/base/json_reader.h"

#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/json_string.h"

namespace helix {
namespace {

using Members =
    std::vector<std::pair<const std::string, Json>>;  // an object, without its search at every insertion

constexpr std::int64_t kMostExact = std::int64_t{1} << 53;
constexpr std::size_t kFewKeys = 32;  // up to here a walk over the keys beats a hash table

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t PlaceOf(const Members& members, const std::string& key) {
  std::size_t place = 0;
  while (place < members.size() && members[place].first != key) ++place;
  return place;
}

std::size_t PlaceOf(const std::unordered_map<std::string_view, std::size_t>& places, const std::string& key) {
  const auto found = places.find(key);
  return found == places.end() ? std::string_view::npos : found->second;
}

// Members and elements wait in two stacks until their container closes and its size is known.
class Reader {
 public:
  Reader(std::string_view text, const JsonRules& rules) : text_(text), rules_(rules) {}

  std::optional<Json> Read() {
    Json root;
    SkipSpace();
    if (!Value(root)) return std::nullopt;
    SkipSpace();
    if (at_ != text_.size()) return std::nullopt;
    return root;
  }

 private:
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }

  bool Value(Json& out) {
    switch (Peek()) {
      case '{':
        return Nested(&Reader::Object, out);
      case '[':
        return Nested(&Reader::Array, out);
      case '"':
        out = std::string();
        return String(out.get_ref<std::string&>());
      case 't':
        out = true;
        return Word("true");
      case 'f':
        out = false;
        return Word("false");
      case 'n':
        return Word("null");
      default:
        return Number(out);
    }
  }

  bool Word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool Nested(bool (Reader::*read)(Json&), Json& out) {
    if (depth_ >= rules_.max_depth) return false;
    ++depth_;
    ++at_;
    const bool done = (this->*read)(out);
    --depth_;
    return done;
  }

  bool Array(Json& out) {
    const std::size_t first = values_.size();
    SkipSpace();
    if (!Take(']')) {
      do {
        SkipSpace();
        Json element;
        if (!Value(element)) return false;
        values_.push_back(std::move(element));
        SkipSpace();
      } while (Take(','));
      if (!Take(']')) return false;
    }
    out = Json::array();
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(first);
    out.get_ref<Json::array_t&>().assign(std::make_move_iterator(begin),
                                         std::make_move_iterator(values_.end()));
    values_.resize(first);
    return true;
  }

  bool Object(Json& out) {
    const std::size_t first_value = values_.size();
    const std::size_t first_key = keys_.size();
    SkipSpace();
    if (!Take('}')) {
      do {
        if (!Member()) return false;
      } while (Take(','));
      if (!Take('}')) return false;
    }
    out = Json::object();
    const bool kept = Keep(first_key, first_value, out.get_ref<Json::object_t&>());
    keys_.resize(first_key);
    values_.resize(first_value);
    return kept;
  }

  bool Member() {
    SkipSpace();
    std::string key;
    if (Peek() != '"' || !String(key)) return false;
    SkipSpace();
    if (!Take(':')) return false;
    SkipSpace();
    Json value;
    if (!Value(value)) return false;
    keys_.push_back(std::move(key));
    values_.push_back(std::move(value));
    SkipSpace();
    return true;
  }

  // Moves the waiting members into the object. Of a key that comes twice the last value stands in the first
  // place, as the slow parser has it.
  bool Keep(std::size_t first_key, std::size_t first_value, Members& members) {
    const std::size_t count = keys_.size() - first_key;
    members.reserve(count);  // so that the keys in `places` stay where they are
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
      std::string& key = keys_[first_key + i];
      Json& value = values_[first_value + i];
      const std::size_t at = count <= kFewKeys ? PlaceOf(members, key) : PlaceOf(places, key);
      if (at < members.size()) {
        if (rules_.strict) return false;
        members[at].second = std::move(value);
        continue;
      }
      members.emplace_back(std::move(key), std::move(value));
      if (count > kFewKeys) places.emplace(members.back().first, members.size() - 1);
    }
    return true;
  }

  bool String(std::string& out) {
    const std::size_t end = ReadJsonString(text_, at_, out);
    at_ = end;
    return end != std::string_view::npos;
  }

  // Leaves what no integer and no double holds to the slow parser.
  bool Number(Json& out) {
    const std::size_t begin = at_;
    const bool negative = Take('-');
    const std::size_t first_digit = at_;
    if (!Digits() || (text_[first_digit] == '0' && at_ > first_digit + 1)) return false;
    bool whole = true;
    if (Take('.')) {
      whole = false;
      if (!Digits()) return false;
    }
    if (Take('e') || Take('E')) {
      whole = false;
      if (!Take('+')) Take('-');
      if (!Digits()) return false;
    }
    const std::string_view number = text_.substr(begin, at_ - begin);
    if (!whole) return Store<double>(number, out);
    return negative ? Store<std::int64_t>(number, out) : Store<std::uint64_t>(number, out);
  }

  bool Digits() {
    const std::size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > begin;
  }

  template <typename T>
  bool Store(std::string_view number, Json& out) {
    T value{};
    if (std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc()) return false;
    if constexpr (std::is_integral_v<T>)
      if (rules_.strict && (value > T{kMostExact} || (std::is_signed_v<T> && value < -T{kMostExact})))
        return false;
    out = value;
    return true;
  }

  std::string_view text_;
  JsonRules rules_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::string> keys_;
  std::vector<Json> values_;
};

}  // namespace

std::optional<Json> ReadPlainJson(std::string_view text, const JsonRules& rules) {
  return Reader(text, rules).Read();
}

}  // namespace helix
