#include "core/net/silence_limit.h"

#include <charconv>

namespace helix::net {

Result<Millis> SilenceLimit(const EnvReader& env, Millis otherwise) {
  constexpr int kMostSeconds = 86'400;
  const auto text = env("HELIX_SILENCE_LIMIT_S");  // as configuration_test looks for it
  if (!text) return otherwise;
  int seconds = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, seconds);
  if (error == std::errc() && stop == end && seconds >= 1 && seconds <= kMostSeconds)
    return Millis{seconds * 1000.0};
  return Fail(ErrorCode::kInvalidArgument, std::string(kSilenceVariable) + " is \"" + *text + "\"",
              "whole seconds, 1 to 86400, or leave it unset");
}

}  // namespace helix::net
