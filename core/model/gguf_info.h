// What a GGUF file says about itself, read from its head without loading it.
#pragma once
#include <string>

#include "core/base/result.h"

namespace helix::model {

struct GgufInfo {
  std::string architecture;
  std::string name;                // general.name; may be empty
  bool synthetic_weights = false;  // marked by this project's writer
};

// kParse when the file is not GGUF version 2 or 3 or its metadata is broken. Reads no tensor.
Result<GgufInfo> ReadGgufInfo(const std::string& path);

}  // namespace helix::model
