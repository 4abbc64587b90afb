#include "core/net/json_post.h"

namespace helix::net {

HttpRequest JsonPost(const std::string& path, const Json& body, const std::string& bearer_key) {
  HttpRequest request;
  request.method = "POST";
  request.path = path;
  request.headers.emplace("content-type", "application/json");
  if (!bearer_key.empty()) request.headers.emplace("authorization", "Bearer " + bearer_key);
  request.body = DumpJson(body);
  return request;
}

}  // namespace helix::net
