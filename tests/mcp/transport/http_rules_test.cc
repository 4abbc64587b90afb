#include "mcp/transport/http_rules.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

HttpRequest Post(Headers headers) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/mcp";
  request.headers = std::move(headers);
  request.headers.emplace_back("content-type", "application/json; charset=utf-8");
  return request;
}

int Status(const HttpRequest& request, const HttpPolicy& policy = {}) {
  const auto refusal = CheckRequest(request, policy);
  return refusal ? refusal->status : 200;
}

TEST(HttpRules, ServeThisMachineUnderItsOwnNamesOnly) {
  for (const char* host :
       {"localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080", "[::1]"}) {
    EXPECT_EQ(Status(Post({{"host", host}})), 200) << host;
  }
  for (const char* host :
       {"attacker.com", "localhost.evil.com", "127.0.0.1.evil.com", "127.0.0.1:80:90", "",
        "localhost:", "evil@localhost", "[::1", "localhost:123456", "0.0.0.0", "192.168.0.9:8080"}) {
    EXPECT_EQ(Status(Post({{"host", host}})), 403) << host;
  }
}

TEST(HttpRules, AllowPagesOfThisMachineOnly) {
  for (const char* origin : {"http://localhost:8080", "https://127.0.0.1", "http://[::1]:3000"}) {
    EXPECT_EQ(Status(Post({{"host", "localhost"}, {"origin", origin}})), 200) << origin;
  }
  for (const char* origin :
       {"http://evil", "null", "http://localhost.evil.com", "http://127.0.0.1.evil.com",
        "http://localhost@evil", "file://localhost", "localhost", "http://localhost/", ""}) {
    EXPECT_EQ(Status(Post({{"host", "localhost"}, {"origin", origin}})), 403) << origin;
  }
}

TEST(HttpRules, LookAtEveryOriginThatIsNamed) {
  EXPECT_EQ(Status(Post({{"host", "localhost"}, {"origin", "http://localhost"}, {"origin", "http://evil"}})), 403);
  EXPECT_EQ(Status(Post({{"host", "localhost"}, {"origin", "http://evil"}, {"origin", "http://localhost"}})), 403);
}

TEST(HttpRules, AskForTheTokenWhereThereIsOne) {
  const HttpPolicy policy{{}, "secret"};
  EXPECT_EQ(Status(Post({{"host", "localhost"}}), policy), 401);
  for (const char* value :
       {"Bearer wrong", "Bearer secre", "Bearer secrets", "secret", "Basic secret", "Bearer "}) {
    EXPECT_EQ(Status(Post({{"host", "localhost"}, {"authorization", value}}), policy), 401) << value;
  }
  EXPECT_EQ(Status(Post({{"host", "localhost"}, {"authorization", "bearer secret"}}), policy), 200);
  EXPECT_EQ(Status(Post({{"host", "192.168.0.9:80"}, {"authorization", "Bearer secret"}}), policy), 200);
  EXPECT_EQ(Status(Post({{"host", "name.example"}, {"authorization", "Bearer secret"}}), policy), 403);
}

TEST(HttpRules, KnowOnePathOneMethodAndJson) {
  auto request = Post({{"host", "localhost"}});
  request.path = "/.well-known/oauth-protected-resource/mcp";
  EXPECT_EQ(Status(request), 404);
  request = Post({{"host", "localhost"}});
  request.method = "GET";
  EXPECT_EQ(Status(request), 405);
  request = Post({{"host", "localhost"}});
  request.headers.back().second = "text/plain";
  EXPECT_EQ(Status(request), 415);
  request.headers.pop_back();
  EXPECT_EQ(Status(request), 415);
  EXPECT_EQ(Status(Post({{"host", "localhost"}, {"accept", "text/html"}})), 406);
  EXPECT_EQ(Status(Post({{"host", "localhost"}, {"content-encoding", "gzip"}})), 415);
}

TEST(HttpRules, ReadWhatTheClientAccepts) {
  EXPECT_FALSE(AcceptedTypes(Post({})).events);
  EXPECT_TRUE(AcceptedTypes(Post({})).json);
  const auto both = AcceptedTypes(Post({{"accept", "text/event-stream;q=0.9 , application/json"}}));
  EXPECT_TRUE(both.json && both.events);
  EXPECT_FALSE(AcceptedTypes(Post({{"accept", "text/event-stream"}})).json);
}

}  // namespace
}  // namespace helix::mcp
