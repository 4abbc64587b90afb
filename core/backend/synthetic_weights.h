// Models that this project writes itself have random weights. Their file name says so, and so does every
// server that runs them, whoever started it.
#pragma once
#include <string>
#include <string_view>

#include "core/backend/backend.h"

namespace helix::backend {

// Part of the file name of every model with random weights that this project writes.
inline constexpr std::string_view kSyntheticWeightsMark = "synthetic-weights";

// By the model's id, file name or alias.
bool HasSyntheticWeightsMark(const Identity& identity);

}  // namespace helix::backend
