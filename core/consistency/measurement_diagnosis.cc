#include "core/consistency/measurement_diagnosis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"

namespace helix::consistency {
namespace {

constexpr double kBufferedShare = 0.1;  // all chunks within this share of the decode time
constexpr double kWarmShare = 0.5;      // of the expected prefix: below it the warm arm is mislabelled
constexpr double kColdTokens = 1;       // a BOS token is no reuse

std::optional<Json> Buffered(const Json& input) {
  const auto first = FirstNumber(input, {"first_chunk_ms", "ttft_ms", "first_ms"});
  const auto last = FirstNumber(input, {"last_chunk_ms", "total_ms", "last_ms"});
  const auto chunks = FirstNumber(input, {"chunks", "n_chunks", "events"});
  if (!first || !last || !chunks) return std::nullopt;
  const auto decode =
      FirstNumber(input, {"server_predicted_ms", "predicted_ms", "decode_ms", "server_decode_ms"});
  const double spread = *last - *first;
  const Json numbers{{"spread_ms", spread}, {"server_decode_ms", OrNull(decode)}};
  const bool several = *chunks >= 2;
  const bool buffered = decode ? *decode >= 50 && spread < kBufferedShare * *decode
                               : *chunks >= 10 && spread <= 5 && *first >= 1000;
  if (several && buffered)
    return FindingJson("TTFT_INVALID_BUFFERED",
                       NumberText(*chunks) + " chunks came within " + NumberText(spread) + " ms" +
                           (decode ? " while the server decoded for " + NumberText(*decode) + " ms" : ""),
                       "", numbers);
  return Unconfirmed("the chunks are spread over the decode time: the stream is not buffered", numbers);
}

std::optional<double> Reused(const Json& sample) {
  return FirstNumber(sample,
                     {"cache_n", "cached", "cached_tokens", "cache_read", "prefix_reuse", "prefix_reused",
                      "timings/cache_n", "usage/prompt_tokens_details/cached_tokens"});
}

std::optional<double> Total(const Json& sample) {
  if (auto total = FirstNumber(sample, {"prompt_tokens", "prompt_total", "total", "tokens_evaluated"}))
    return total;
  const auto processed = FirstNumber(sample, {"prompt_n", "processed", "timings/prompt_n"});
  const auto reused = Reused(sample);
  return processed && reused ? std::optional(*processed + *reused) : std::nullopt;
}

const Json* Arm(const Json& input, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const Json* arm = Find(input, name); arm && arm->is_array()) return arm;
  return nullptr;
}

std::optional<Json> Arms(const Json& input) {
  const Json* off = Arm(input, {"cache_off", "off", "cold"});
  const Json* on = Arm(input, {"cache_on", "on", "warm"});
  if (!off && !on) return std::nullopt;
  const double allow = FirstNumber(input, {"cold_allow"}).value_or(kColdTokens);
  if (off)
    for (const Json& sample : *off)
      if (const auto reused = Reused(sample); reused && *reused > allow)
        return FindingJson("CACHE_OFF_ARM_NOT_COLD",
                           "a sample of the cold arm reused " + NumberText(*reused) + " tokens", "",
                           Json{{"cached", *reused}});
  const auto expected =
      FirstNumber(input, {"expected_prefix", "expected_cached", "prefix_tokens", "expected"});
  std::optional<double> least;
  if (on)
    for (const Json& sample : *on) {
      const auto reused = Reused(sample);
      const auto basis = expected ? expected : Total(sample);
      if (!reused || !basis) continue;
      if (*reused < kWarmShare * *basis)
        return FindingJson("MISLABEL_TRIVIAL_REUSE",
                           "a sample of the warm arm reused " + NumberText(*reused) + " of " +
                               NumberText(*basis) + " tokens",
                           "", Json{{"cached", *reused}, {"expected", *basis}});
      least = std::min(least.value_or(*reused), *reused);
    }
  if (least)
    return FindingJson("OK_PARTIAL_HIT", "the cold arm is cold and the warm arm reused its prefix", "",
                       Json{{"cached", *least}});
  return Unconfirmed("the arms carry no count of reused tokens");
}

bool Says(std::string text, std::string_view word) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text.find(word) != std::string::npos;
}

// X-CCR-Cache: hit, X-OpenRouter-Cache-Status: HIT and their like.
bool CacheHeader(const Json& headers) {
  if (!headers.is_object()) return false;
  for (auto it = headers.begin(); it != headers.end(); ++it)
    if (Says(it.key(), "cache") && !Says(it.key(), "control") && it.value().is_string() &&
        Says(it.value().get<std::string>(), "hit"))
      return true;
  return false;
}

std::optional<Json> Replay(const Json& input) {
  const Json* replies = Arm(input, {"replies", "trace"});
  if (!replies || replies->size() < 2) return std::nullopt;
  const Json& first = replies->front();
  bool header = Find(input, "headers") && CacheHeader(*Find(input, "headers"));
  for (std::size_t i = 1; i < replies->size(); ++i) {
    const Json& next = (*replies)[i];
    if (const Json* own = Find(next, "headers")) header = header || CacheHeader(*own);
    const auto id = StringAt(first, "id");
    const bool same_id = id && StringAt(next, "id") == id;
    const bool same_time = IntAt(first, "created") == IntAt(next, "created");
    if (same_id && same_time)
      return FindingJson("RESPONSE_CACHE_REPLAY", "two replies carry the same id and creation time", "",
                         Json{{"id", *id}});
  }
  if (header)
    return FindingJson("RESPONSE_CACHE_REPLAY", "a response header says that a stored reply was returned",
                       "");
  return Unconfirmed("the replies have ids of their own and no header names a response cache");
}

std::optional<Json> Gauge(const Json& input) {
  const auto gauge = FirstNumber(input, {"gauge", "hit_rate_gauge", "hit_rate"});
  const auto queries = FirstNumber(input, {"delta/queries", "metrics_delta/queries"});
  const auto hits = FirstNumber(input, {"delta/hits", "metrics_delta/hits"});
  if (!queries || !hits) return std::nullopt;
  if (*queries <= 0) return Unconfirmed("no token was queried between the two readings");
  const double rate = std::round(*hits / *queries * 1e6) / 1e6;
  return FindingJson("USE_DELTA", NumberText(rate) + " for this run, by the difference of the counters",
                     "vllm", Json{{"rate", rate}, {"gauge", OrNull(gauge)}});
}

}  // namespace

Json DiagnoseMeasurement(const Json& input) {
  if (auto found = Gauge(input)) return *found;
  if (auto found = Arms(input)) return *found;
  if (auto found = Buffered(input)) return *found;
  if (auto found = Replay(input)) return *found;
  return Unconfirmed("the record holds none of the facts that a trap shows in");
}

}  // namespace helix::consistency
