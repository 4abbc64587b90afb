#include "core/backend/synthetic_weights.h"

#include "core/base/json_fields.h"

namespace helix::backend {

bool HasSyntheticWeightsMark(const Identity& identity) {
  const auto marked = [](const std::string& name) {
    return name.find(kSyntheticWeightsMark) != std::string::npos;
  };
  return marked(identity.model_id) || marked(StringAt(identity.facts, "model_file").value_or("")) ||
         marked(StringAt(identity.facts, "model_alias").value_or(""));
}

}  // namespace helix::backend
