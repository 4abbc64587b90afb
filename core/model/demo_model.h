// The model that the project uses when the user names none.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/base/settings.h"
#include "core/model/model_shape.h"

namespace helix::model {

// $XDG_CACHE_HOME/helix-perf-cache, else ~/.cache/helix-perf-cache, else a folder below the system's
// temporary one.
std::string CacheDir(const EnvReader& env);

// Path of the model's file in the cache folder, written there first when it is missing or damaged. Safe to
// call from several processes at once: readers see a whole file or none.
Result<std::string> SyntheticModelPath(const ModelShape& shape, const EnvReader& env);
// The same for the demo shape: 2 layers, width 256, 3 MB.
Result<std::string> DemoModelPath(const EnvReader& env);

}  // namespace helix::model
