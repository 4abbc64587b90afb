#include "mcp/protocol/portable_schema.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

void OneType(Json& schema) {
  const Json* type = Find(schema, "type");
  if (type == nullptr || !type->is_array() || type->empty()) return;
  if (std::find(type->begin(), type->end(), Json("null")) == type->end()) {
    schema["type"] = Json((*type)[0]);
    return;
  }
  const auto words = DescribeExpected(Json{{"type", *type}});
  const auto said = StringAt(schema, "description").value_or("");
  schema.erase("type");
  schema["description"] = said.empty() ? words : said + " (" + words + ")";
}

}  // namespace

Json PortableSchema(Json schema) {
  if (!schema.is_object()) return schema;
  OneType(schema);
  if (schema.contains("properties") && schema["properties"].is_object()) {
    for (auto& [name, property] : schema["properties"].items()) property = PortableSchema(property);
  }
  if (schema.contains("items")) schema["items"] = PortableSchema(schema["items"]);
  return schema;
}

}  // namespace helix::mcp
