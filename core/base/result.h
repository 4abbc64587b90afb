// Result<T>: a value, or an Error that says what went wrong and what the caller can do about it.
// No exception crosses a room; exceptions of libraries are caught where the library is called.
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace helix {

enum class ErrorCode {
  kInvalidArgument,  // the caller's words are off: expected what, got what
  kNotFound,
  kParse,  // outside input that is not in the form it should have
  kTimeout,
  kCancelled,
  kUnavailable,  // nothing answered
  kRefused,      // policy forbids it (endpoint, spend, binary)
  kProtocol,     // the other side answered, but not as its interface says
  kIo,
  kInternal,
};

// Stable lower-case name, such as "invalid_argument".
const char* ErrorCodeName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence: what was expected and what was seen
  std::string hint;     // what to do next; may be empty

  // "message (hint)" for a terminal or a log.
  [[nodiscard]] std::string Text() const;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> Fail(ErrorCode code, std::string message, std::string hint = {}) {
  return tl::make_unexpected(Error{code, std::move(message), std::move(hint)});
}

}  // namespace helix

// Returns the error of a Result from the enclosing function, which must return a Result itself.
#define HELIX_TRY(expr)                                                                                   \
  do {                                                                                                    \
    if (auto helix_try_ = (expr); !helix_try_) return tl::make_unexpected(std::move(helix_try_).error()); \
  } while (false)
