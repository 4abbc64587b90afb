#include "core/base/count_text.h"

#include "core/base/json_fields.h"

namespace helix {

std::string CountText(const Json& object, std::string_view path) {
  const auto count = IntAt(object, path);
  return count ? std::to_string(*count) : "?";
}

}  // namespace helix
