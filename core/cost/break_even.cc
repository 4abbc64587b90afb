#include "core/cost/break_even.h"

namespace helix::cost {

std::optional<std::int64_t> BreakEvenRequests(Price input, Price write, Price read) {
  if (read >= input) return std::nullopt;
  if (write <= read) return 1;
  return (write - read).count / (input - read).count + 1;
}

Price LossIfNeverRead(Price input, Price write) {
  return write - input;
}

std::optional<std::int64_t> KeepAlivesUpToOneHour(Price write_5m, Price write_1h, Price read) {
  if (read.count <= 0) return std::nullopt;
  return (write_1h - write_5m).count / read.count;
}

std::optional<double> WorthKeepingAlive(Price write, Price read) {
  if (write <= read) return std::nullopt;
  return static_cast<double>(read.count) / static_cast<double>((write - read).count);
}

std::optional<double> TurnsToRepayRewrite(Price write, Price read, Tokens suffix, Tokens removed) {
  if (read.count <= 0 || removed.count <= 0) return std::nullopt;
  double per_turn = static_cast<double>(read.count) * static_cast<double>(removed.count);
  return static_cast<double>((write - read).count) * static_cast<double>(suffix.count) / per_turn;
}

double GainPerTokenOnEntry(Price input, Price write, Price read, std::int64_t turns_left) {
  return (static_cast<double>(write.count) +
          static_cast<double>(read.count) * static_cast<double>(turns_left)) /
         static_cast<double>(input.count);
}

Money CachedUses(Tokens prompt, Price write, Price read, std::int64_t uses) {
  if (uses <= 0) return {};
  return write * prompt + read * Tokens{prompt.count * (uses - 1)};
}

Money PlainUses(Tokens prompt, Price input, std::int64_t uses) {
  return input * Tokens{prompt.count * uses};
}

}  // namespace helix::cost
