// Fixture resources.
#include "mcp/conformance/fixtures.h"

namespace helix::mcp {
namespace {

Json Listed(const char* uri, const char* name, const char* type) {
  return Json{{"uri", uri}, {"name", name}, {"description", "A conformance fixture"}, {"mimeType", type}};
}

class Resources : public ResourceSource {
 public:
  std::vector<Json> List() override {
    return {Listed("test://static-text", "Static text", "text/plain"),
            Listed("test://static-binary", "Static binary", "image/png"),
            Listed("test://watched-resource", "Watched resource", "text/plain")};
  }
  std::vector<Json> Templates() override {
    return {Json{{"uriTemplate", "test://template/{id}/data"},
                 {"name", "Template"},
                 {"mimeType", "application/json"}}};
  }
  Result<Json> Read(const std::string& uri) override {
    if (uri == "test://static-binary") {
      return Json::array({Json{{"uri", uri}, {"mimeType", "image/png"}, {"blob", kTinyPng}}});
    }
    if (uri == "test://static-text" || uri == "test://watched-resource") {
      return Json::array({Json{{"uri", uri}, {"mimeType", "text/plain"}, {"text", "The content of " + uri}}});
    }
    const std::string head = "test://template/";
    const std::string tail = "/data";
    if (uri.size() > head.size() + tail.size() && uri.rfind(head, 0) == 0 &&
        uri.substr(uri.size() - tail.size()) == tail) {
      const auto id = uri.substr(head.size(), uri.size() - head.size() - tail.size());
      const Json data{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
      return Json::array({Json{{"uri", uri}, {"mimeType", "application/json"}, {"text", DumpJson(data)}}});
    }
    return Fail(ErrorCode::kNotFound, "there is no resource " + uri);
  }
  std::vector<std::string> Complete(const std::string&, const std::string&, const std::string&) override {
    return {};
  }
};

}  // namespace

std::shared_ptr<ResourceSource> FixtureResources() {
  return std::make_shared<Resources>();
}

}  // namespace helix::mcp
