#include "core/backend/synthetic_weights.h"

#include "core/base/json_fields.h"
#include "core/model/model_shape.h"

namespace helix::backend {

bool HasSyntheticWeightsMark(const Identity& identity) {
  return model::IsSyntheticName(identity.model_id) ||
         model::IsSyntheticName(StringAt(identity.facts, "model_file").value_or("")) ||
         model::IsSyntheticName(StringAt(identity.facts, "model_alias").value_or(""));
}

}  // namespace helix::backend
