// When caching pays. All from prices per token: w a write, r a read, p plain input.
#pragma once
#include <cstdint>
#include <optional>

#include "core/cost/prices.h"

namespace helix::cost {

// The fewest requests inside the lifetime for which write + (N-1) reads cost less than N plain prompts:
// the smallest N > (w-r)/(p-r). nullopt when a read is not cheaper than input.
std::optional<std::int64_t> BreakEvenRequests(Price input, Price write, Price read);

// Lost per prefix token that is written and never read: w - p, in pico-dollars.
Price LossIfNeverRead(Price input, Price write);

// Keep-alive requests (one read each, at most 5 minutes apart) that together cost no more than writing for an
// hour instead of five minutes: floor((w1h - w5m) / r). nullopt when reads are free.
std::optional<std::int64_t> KeepAlivesUpToOneHour(Price write_5m, Price write_1h, Price read);

// Below this chance of another request per interval, letting the entry expire is cheaper than keeping it
// alive: r / (w - r).
std::optional<double> WorthKeepingAlive(Price write, Price read);

// Turns until removing `removed` tokens from cached history has paid for writing the `suffix` behind it
// again: (w-r)/r * suffix/removed. nullopt when nothing is removed or reads are free.
std::optional<double> TurnsToRepayRewrite(Price write, Price read, Tokens suffix, Tokens removed);

// What one token less on entry saves over the turns left, in units of the input price: (w + r * turns) / p.
double GainPerTokenOnEntry(Price input, Price write, Price read, std::int64_t turns_left);

// N uses of a prompt: written once and read after, or sent plain every time.
Money CachedUses(Tokens prompt, Price write, Price read, std::int64_t uses);
Money PlainUses(Tokens prompt, Price input, std::int64_t uses);

}  // namespace helix::cost
