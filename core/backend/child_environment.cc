#include "core/backend/child_environment.h"

namespace helix::backend {

std::vector<std::string> ChildEnvironment(const EnvReader& env) {
  const EnvReader read = env ? env : ProcessEnvironment();
  std::vector<std::string> out;
  for (const char* name : {"PATH",
                           "HOME",
                           "USER",
                           "LANG",
                           "LC_ALL",
                           "LC_CTYPE",
                           "TZ",
                           "TMPDIR",
                           "XDG_CACHE_HOME",
                           "XDG_RUNTIME_DIR",
                           "LD_LIBRARY_PATH",
                           "DYLD_LIBRARY_PATH",
                           "GGML_BACKEND_PATH",
                           "CUDA_VISIBLE_DEVICES",
                           "CUDA_DEVICE_ORDER",
                           "CUDA_HOME",
                           "HIP_VISIBLE_DEVICES",
                           "ROCR_VISIBLE_DEVICES",
                           "HSA_OVERRIDE_GFX_VERSION",
                           "VK_ICD_FILENAMES",
                           "GGML_VK_VISIBLE_DEVICES",
                           "ONEAPI_DEVICE_SELECTOR",
                           "OMP_NUM_THREADS",
                           "OMP_PROC_BIND",
                           "GGML_CUDA_ENABLE_UNIFIED_MEMORY"}) {
    if (auto value = read(name)) out.push_back(std::string(name) + "=" + *value);
  }
  return out;
}

}  // namespace helix::backend
