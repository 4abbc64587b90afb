// Models that this project writes itself have random weights. Their file name says so, and so does every
// server that runs them, whoever started it.
#pragma once
#include "core/backend/backend.h"

namespace helix::backend {

// By the model's id, file name or alias.
bool HasSyntheticWeightsMark(const Identity& identity);

}  // namespace helix::backend
