// Whether a file could be written, asked before the work whose result it is to hold.
#pragma once
#include <string>

#include "core/base/result.h"

namespace helix {

// Whether WriteFileAtomic could write there now. Changes nothing.
Status RequireWritable(const std::string& path);

}  // namespace helix
