// One normal form of token usage, whatever the provider's shape. Every number is reported, derived or absent;
// absent is never 0. Rules and shapes: docs/usage.md.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/measured.h"
#include "core/base/units.h"

namespace helix::usage {

// How the count of reused tokens can be seen in a reply.
enum class Visibility {
  kReported,  // the reply carries it
  kDerived,   // other counters of the reply determine it
  kNull,      // the field is there and null: not reported
  kAbsent,    // there is no such field
  kNoReply,   // the document is a status message, not a model's reply
};
// "reported", "derived", "null", "absent", "n/a".
const char* VisibilityName(Visibility visibility);

struct Usage {
  Measured<Tokens> in_total;  // in_uncached + cache_read + all writes, where nothing contradicts
  Measured<Tokens> in_uncached;
  Measured<Tokens> cache_read;
  Measured<Tokens> cache_write_5m;
  Measured<Tokens> cache_write_1h;
  Measured<Tokens> cache_write_other;  // lifetime not named by the reply
  Measured<Tokens> out_total;          // billed output, reasoning included
  Measured<Tokens> out_reasoning;
  Measured<Usd> reported_cost;  // the provider's own figure
  Measured<double> prefill_ms;  // server clock
  Measured<double> decode_ms;   // server clock
  Measured<Tokens> prefilled;   // in_total - cache_read; absent where the input field's meaning is in doubt
  Visibility visibility = Visibility::kAbsent;
  std::vector<std::string> flags;  // in the order they were found, each once

  void AddFlag(std::string_view flag);
  void RemoveFlag(std::string_view flag);
  [[nodiscard]] bool HasFlag(std::string_view flag) const;
  // Sum of the writes that are present; absent when none is.
  [[nodiscard]] Measured<Tokens> Writes() const;
};

// The count, or nullopt when it is absent: absent is not zero.
inline std::optional<std::int64_t> CountOf(const Measured<Tokens>& tokens) {
  return tokens.present() ? std::optional(tokens.value().count) : std::nullopt;
}

// A reply: its usage and what is needed to tell it from another.
struct Reply {
  Usage usage;
  std::string shape;   // "anthropic", "openai_chat", ...; empty when no usage was found
  std::string source;  // where it stood, such as "choices[0].usage"
  std::string model;   // as the reply names it
  std::string id;
  std::string request_id;
  std::string provider_name;  // a router's own word for who served it
  std::string finish;
  std::string error;              // an error the reply or stream carries
  std::optional<double> ttft_ms;  // recorded beside the usage in a trace
  std::optional<double> wall_ms;
};

// Counters and flags under the names of the normal form; absent numbers are null; "origins" names where each
// present number came from.
Json ToJson(const Reply& reply);

}  // namespace helix::usage
