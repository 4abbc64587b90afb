#include "core/net/http_text.h"

#include <gtest/gtest.h>

#include "core/net/http_client.h"
#include "core/net/json_post.h"
#include "core/net/silence_limit.h"

namespace helix::net {
namespace {

HttpRequest Post() {
  HttpRequest request;
  request.method = "POST";
  request.path = "/completion?x=1";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = "{}";
  return request;
}

TEST(RequestText, WritesTheRequestAsItGoesOut) {
  auto text = RequestText(Post(), "127.0.0.1:8080");
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "POST /completion?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept-Encoding: identity\r\n"
            "Content-Type: application/json\r\nUser-Agent: helix-perf-cache/" HELIX_VERSION
            "\r\nContent-Length: 2\r\n\r\n{}");
}

TEST(RequestText, RefusesALineBreakInAKeyAndNeverShowsIt) {
  HttpRequest request = Post();
  request.headers = {{"Authorization", "Bearer sk-CANARY\r\nX-Injected: 1"}};
  auto text = RequestText(request, "h");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(text.error().Text().find("CANARY"), std::string::npos);
}

TEST(RequestText, RefusesWhatWouldBreakTheFraming) {
  for (const char* path : {"", "x", "/a b", "/a\r\nHost: b", "/\xC3\xA9"}) {
    HttpRequest request = Post();
    request.path = path;
    EXPECT_FALSE(RequestText(request, "h")) << path;
  }
  for (const char* name :
       {"", "a b", "a:", "Host", "content-length", "Transfer-Encoding", "accept-encoding"}) {
    HttpRequest request = Post();
    request.headers = {{name, "v"}};
    EXPECT_FALSE(RequestText(request, "h")) << name;
  }
}

TEST(ParseNumber, TakesPlainDigitsOnly) {
  EXPECT_EQ(ParseNumber("1a", 16), 26U);
  EXPECT_EQ(ParseNumber("9223372036854775807", 10), 9223372036854775807U);
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "0x1", "9223372036854775808", "99999999999999999999"}) {
    EXPECT_FALSE(ParseNumber(bad, 10)) << bad;
  }
}

EnvReader Silence(std::optional<std::string> value) {
  return [value](const std::string& name) { return name == kSilenceVariable ? value : std::nullopt; };
}

TEST(SilenceLimit, IsTheUsersSecondsOrTheDefaultAndNothingElse) {
  EXPECT_EQ(SilenceLimit(Silence(std::nullopt), Millis{7}), Millis{7});
  EXPECT_EQ(SilenceLimit(Silence("45"), Millis{7}), Millis{45'000});
  for (const char* wrong : {"0", "-3", "1.5", "10s", "much", "86401", "999999999999"}) {
    const auto limit = SilenceLimit(Silence(wrong), Millis{7});
    ASSERT_FALSE(limit) << wrong;
    EXPECT_EQ(limit.error().message, std::string("HELIX_SILENCE_LIMIT_S is \"") + wrong + "\"");
  }
}

TEST(JsonPost, CarriesTheKeyInItsHeaderAloneAndOnlyWhereThereIsOne) {
  const auto with = JsonPost("/x", Json{{"a", 1}}, "secret");
  EXPECT_EQ(with.method, "POST");
  EXPECT_EQ(with.body, R"({"a":1})");
  EXPECT_EQ(with.headers.find("authorization")->second, "Bearer secret");
  EXPECT_EQ(JsonPost("/x", Json::object()).headers.count("authorization"), 0U);
}

}  // namespace
}  // namespace helix::net
