#include "mcp/protocol/portable_schema.h"

#include <algorithm>

#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

Json Branches(const Json& schema) {
  Json rest = schema;
  rest.erase("description");
  Json branches = Json::array();
  for (const Json& type : schema["type"]) {
    Json branch = type == "null" ? Json::object() : rest;
    branch["type"] = type;
    branches.push_back(std::move(branch));
  }
  return branches;
}

void OneType(Json& schema) {
  const Json* type = Find(schema, "type");
  if (type == nullptr || !type->is_array() || type->empty()) return;
  if (std::find(type->begin(), type->end(), Json("null")) == type->end()) {
    schema["type"] = Json((*type)[0]);
    return;
  }
  Json either = Json::object();
  if (const Json* description = Find(schema, "description")) either["description"] = *description;
  either["anyOf"] = Branches(schema);
  schema = std::move(either);
}

}  // namespace

Json PortableSchema(Json schema) {
  if (!schema.is_object()) return schema;
  if (schema.contains("properties") && schema["properties"].is_object()) {
    for (auto& [name, property] : schema["properties"].items()) property = PortableSchema(property);
  }
  if (schema.contains("items")) schema["items"] = PortableSchema(schema["items"]);
  OneType(schema);
  return schema;
}

}  // namespace helix::mcp
