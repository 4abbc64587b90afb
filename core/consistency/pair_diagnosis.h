// Why the second of two requests did or did not reuse the first.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/consistency/cause.h"
#include "core/consistency/first_divergence.h"
#include "core/consistency/request_body.h"

namespace helix::consistency {

struct PairInput {
  RequestBody a;
  RequestBody b;
  std::string transform;        // what the serving stack does to both: see transforms.h
  std::string backend;          // "anthropic", "llama-server", ... ; empty when unknown
  std::optional<double> gap_s;  // from the start of a to the start of b
  std::optional<double> ttl_s;
  std::optional<Json> usage_b;  // what the server reported for b
};

// {"verdict","first_divergence","stage","raw_append_only","cause","advice","shared",...}; the fields are
// listed in docs/diagnosis.md. kInvalidArgument when the transform is unknown.
Result<Json> DiagnosePair(const PairInput& input);

// The cause of a given first difference.
Cause ExplainDivergence(const RequestBody& a, const RequestBody& b, const Divergence& at);

}  // namespace helix::consistency
