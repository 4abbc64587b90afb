// What a run cannot detect or prove, in sentences that go with every result.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/equivalence/oracle.h"

namespace helix::equivalence {

void AddLimits(OracleResult& result, const OracleOptions& options, const std::vector<std::int64_t>& left_out);

// What the numbers of this run say about the configuration: exact to the bit, or noisy by batch shape.
std::string ExplainNumerics(const OracleResult& result);

}  // namespace helix::equivalence
