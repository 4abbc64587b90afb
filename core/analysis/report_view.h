// A report read once into typed form, so that the checks neither parse nor guess. Absent stays absent: a
// number that is not there is NaN, a string has no data, a flag is unset. Borrows from the Json it was read
// from.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace helix::analysis {

enum class Arm : std::uint8_t { kOff, kOn, kPrime, kOffAa, kControl, kOther };
const char* ArmName(Arm arm);
Arm ArmFromName(std::string_view name);

enum class Flag : std::int8_t { kUnset = -1, kFalse = 0, kTrue = 1 };

inline constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
inline bool Has(double number) {
  return !std::isnan(number);
}
inline bool Has(std::string_view text) {
  return text.data() != nullptr;
}
inline bool Has(Flag flag) {
  return flag != Flag::kUnset;
}

// One entry of /samples. A field is looked for in the sample itself and in its groups req, client, server,
// out.
struct SampleView {
  std::size_t index = 0;  // in /samples
  // What most checks look at stands together: a million rows do not fit into a cache.
  Arm arm = Arm::kOther;
  Flag conn_reused = Flag::kUnset, truncated = Flag::kUnset, salt_differs = Flag::kUnset,
       warmup = Flag::kUnset, build_in_ttft = Flag::kUnset;
  std::string_view status;
  double seq = kAbsent, pair = kAbsent, ttft_ns = kAbsent, total_ns = kAbsent, t_send_ns = kAbsent,
         prompt_tokens = kAbsent, cached_n = kAbsent, processed_n = kAbsent, expected_cached = kAbsent,
         prompt_ms = kAbsent, predicted_ms = kAbsent, out_n = kAbsent, lcp_prev = kAbsent,
         concurrency = kAbsent;
  std::string_view arm_name, env_id, prompt_sha256, params_sha256, ttft_event, boot_id, finish, tokens_source,
      raw_sha256;
  std::string_view prompt_tokens_sha256, out_sha256, exclusion_rule, workload_id, weights_sha256,
      response_model, fingerprint, request_id, response_id, clock_id;
  double slot = kAbsent, queue_ms = kAbsent, build_ns = kAbsent, first_event_tokens = kAbsent, mhz = kAbsent,
         created = kAbsent, reasoning_tokens = kAbsent, client_prompt_tokens = kAbsent, running = kAbsent,
         usage_cached = kAbsent, ms_per_token = kAbsent, context_size = kAbsent, server_ttft_ms = kAbsent;
  const Json* transport = nullptr;
  const Json* flags = nullptr;
  const Json* clock_ids = nullptr;

  [[nodiscard]] bool ok() const { return status == "ok"; }
  [[nodiscard]] std::string Pointer(std::string_view field = {}) const;  // "/samples/3/client/ttft_ns"
};

// A field that is there but has no usable value: text where a number belongs, or a number where text belongs.
struct Malformed {
  std::string pointer;
  std::string seen;
};

struct ReportView {
  const Json* root = nullptr;
  std::vector<SampleView> samples;  // in file order
  std::vector<Malformed> malformed;
  std::vector<std::string> unknown;  // JSON pointers of fields outside the schema
  // Measured samples of the two arms (no warm-up), by send order, whatever their status; indexes into
  // samples.
  std::vector<std::size_t> off, on;
  // The finished ones: both calls of a pair ok, by pair number of the pair's first call.
  struct Pair {
    std::size_t off = 0;
    std::size_t on = 0;
  };
  std::vector<Pair> pairs;
  // All measured off and on samples that finished, in seq order.
  std::vector<std::size_t> sequence;

  [[nodiscard]] const SampleView& at(std::size_t i) const { return samples[i]; }
  // Members of the report; an empty object when absent, so that reads give nullopt.
  [[nodiscard]] const Json& Plan() const;
  [[nodiscard]] const Json& Claim() const;
  [[nodiscard]] const Json& Backend() const;
  [[nodiscard]] const Json& Env() const;
  [[nodiscard]] const Json& Equivalence() const;
  [[nodiscard]] const Json& Part(std::string_view name) const;
};

ReportView ReadReport(const Json& report);

// Makes room for `n` samples. Every check walks over all rows and looks at a few fields of each; large
// reports ask for large pages, which saves most of the address translation.
void ReserveSamples(ReportView& view, std::size_t n);

// Indexes into samples by seq; rows without one keep the file's order, last.
std::vector<std::size_t> SeqOrder(const ReportView& view);

// The raw_sha256 of the samples that have one, in seq order: the leaves of merkle_root.
std::vector<std::string> LeavesInSeqOrder(const ReportView& view);

// Fills off, on, pairs and sequence from samples; ReadReport calls it, and so does a program that builds the
// view itself.
void IndexArms(ReportView& view);

}  // namespace helix::analysis
