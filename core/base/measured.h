// Measured<T>: a number that knows whether it exists and where it came from. Absent is a value; it never
// becomes zero by default.
#pragma once
#include <optional>
#include <utility>

namespace helix {

enum class Origin {
  kServer,     // the server's own counter or timer
  kClient,     // this process's steady clock
  kDerived,    // computed from other measured values
  kEstimated,  // a model of ours, not a measurement
};

// "server", "client", "derived", "estimated".
inline const char* OriginName(Origin origin) {
  switch (origin) {
    case Origin::kServer:
      return "server";
    case Origin::kClient:
      return "client";
    case Origin::kDerived:
      return "derived";
    case Origin::kEstimated:
      return "estimated";
  }
  return "estimated";
}

template <typename T>
class Measured {
 public:
  Measured() = default;  // absent
  Measured(T value, Origin origin) : value_(std::move(value)), origin_(origin) {}

  [[nodiscard]] bool present() const { return value_.has_value(); }
  // Only when present().
  [[nodiscard]] const T& value() const { return value_.value(); }
  [[nodiscard]] Origin origin() const { return origin_; }
  [[nodiscard]] const std::optional<T>& optional() const { return value_; }

  friend bool operator==(const Measured&, const Measured&) = default;

 private:
  std::optional<T> value_;
  Origin origin_ = Origin::kEstimated;
};

}  // namespace helix
