#include "core/net/endpoint_policy.h"

#include <gtest/gtest.h>

namespace helix::net {
namespace {

Settings Agent() {
  Settings settings;
  settings.endpoint = "http://127.0.0.1:80";
  settings.allowed_endpoints = {"https://api.example.com", "http://gpu-box:8000/v1",
                                "http://192.168.1.5:9000"};
  settings.from_agent = true;
  return settings;
}

TEST(ParseEndpoint, ReadsPlainUrls) {
  for (const auto& [url, base] : std::vector<std::pair<std::string, std::string>>{
           {"http://localhost:18434", "http://localhost:18434"},
           {"http://LocalHost:18434/", "http://localhost:18434"},
           {"HTTP://127.0.0.1:1/v1", "http://127.0.0.1:1"},
           {"http://[::1]:8080/v1/", "http://[::1]:8080"},
           {"https://api.example.com", "https://api.example.com:443"},
           {"http://my_box", "http://my_box:80"},
           {"http://[fe80::1]:8080", "http://[fe80::1]:8080"}}) {
    auto endpoint = ParseEndpoint(url);
    ASSERT_TRUE(endpoint) << url << ": " << endpoint.error().message;
    EXPECT_EQ(endpoint->BaseUrl(), base);
  }
}

TEST(ParseEndpoint, RefusesWhatTwoReadersCouldReadDifferently) {
  for (const char* url : {"",
                          "localhost:8080",
                          "ftp://localhost",
                          "file:///etc/passwd",
                          "http://",
                          "http:///x",
                          "http://:80",
                          "http://localhost@evil.com",
                          "http://evil.com#@localhost",
                          "http://localhost\\@evil.com",
                          "http://localhost:80@evil.com",
                          "http://localhost/path",
                          "http://localhost/v1/../x",
                          "http://localhost?x",
                          "http://localhost:8080#x",
                          "http://local host",
                          "http://localhost\n",
                          "http://loc\xC3\xA1lhost",
                          "http://%6cocalhost",
                          "http://localhost.",
                          "http://a..b",
                          "http://-a",
                          "http://2130706433",
                          "http://0x7f000001",
                          "http://0x7f.1",
                          "http://0177.0.0.1",
                          "http://127.1",
                          "http://127.0.0.01",
                          "http://127.0.0.0x1",
                          "http://1.2.3.4.5",
                          "http://0.0.0.0:80",
                          "http://0.1.2.3",
                          "http://[::]:80",
                          "http://[::ffff:127.0.0.1]:80",
                          "http://[::127.0.0.1]",
                          "http://[64:ff9b::7f00:1]",
                          "http://[0:0:0:0:0:0:0:1]",
                          "http://[::1%25lo]",
                          "http://[fe80::1%eth0]",
                          "http://[127.0.0.1]",
                          "http://::1",
                          "http://[::1",
                          "http://[::1]x",
                          "http://localhost:",
                          "http://localhost:0",
                          "http://localhost:65536",
                          "http://localhost:080",
                          "http://localhost:8x",
                          "http://localhost:-1",
                          "http://localhost:99999999999999999999"}) {
    auto endpoint = ParseEndpoint(url);
    ASSERT_FALSE(endpoint) << url;
    EXPECT_EQ(endpoint.error().code, ErrorCode::kInvalidArgument) << url;
    EXPECT_FALSE(endpoint.error().hint.empty());
  }
}

TEST(IsLoopback, JudgesTheBinaryAddress) {
  for (const char* url : {"http://localhost", "http://127.0.0.1", "http://127.8.8.8", "http://[::1]"}) {
    EXPECT_TRUE(IsLoopback(*ParseEndpoint(url))) << url;
  }
  for (const char* url :
       {"http://127.0.0.1.evil.com", "http://localhost.evil.com", "http://localhost6", "http://128.0.0.1",
        "http://10.0.0.1", "http://[fe80::1]", "http://[2001:db8::1]"}) {
    EXPECT_FALSE(IsLoopback(*ParseEndpoint(url))) << url;
  }
}

TEST(CheckEndpoint, AnAgentMaySelectLoopbackTheListAndTheConfiguredOne) {
  for (const char* url : {"http://localhost:8080", "http://127.0.0.1:1024/v1", "http://[::1]:9999",
                          "http://127.0.0.1:80", "https://api.example.com:443", "https://API.example.com/v1",
                          "http://gpu-box:8000", "http://192.168.1.5:9000"}) {
    auto endpoint = CheckEndpoint(url, Agent());
    EXPECT_TRUE(endpoint) << url << ": " << endpoint.error().message;
  }
}

TEST(CheckEndpoint, AnAgentMayNothingElse) {
  for (const char* url :
       {"http://127.0.0.1:22", "http://localhost", "http://api.example.com", "https://api.example.com:444",
        "https://api.example.com.evil.com", "https://evil-api.example.com", "http://gpu-box",
        "http://gpu-box:8001", "https://gpu-box:8000", "http://192.168.1.6:9000", "http://169.254.169.254",
        "http://127.0.0.1.evil.com:8080", "http://10.0.0.1:8080", "https://example.com",
        "http://[fd00::1]:8080"}) {
    auto endpoint = CheckEndpoint(url, Agent());
    ASSERT_FALSE(endpoint) << url;
    EXPECT_EQ(endpoint.error().code, ErrorCode::kRefused) << url;
    EXPECT_NE(endpoint.error().hint.find("HELIX_ALLOWED_ENDPOINTS"), std::string::npos);
  }
}

TEST(CheckEndpoint, SaysOfALowPortOfThisMachineThatItIsThePort) {
  const auto endpoint = CheckEndpoint("http://127.0.0.1:22", Agent());
  ASSERT_FALSE(endpoint);
  EXPECT_NE(endpoint.error().message.find("a port below 1024"), std::string::npos) << endpoint.error().message;
  EXPECT_EQ(endpoint.error().message.find("neither on this machine"), std::string::npos);
}

TEST(CheckEndpoint, ACommandLineUserMayNameAnyWellFormedOne) {
  Settings user = Agent();
  user.from_agent = false;
  EXPECT_TRUE(CheckEndpoint("http://10.0.0.1:8080", user));
  EXPECT_TRUE(CheckEndpoint("http://127.0.0.1:80", user));
  EXPECT_FALSE(CheckEndpoint("http://localhost@evil.com", user));
}

TEST(CheckEndpoint, ABrokenListEntryIsSaidNotSkipped) {
  Settings settings = Agent();
  settings.allowed_endpoints = {"api.example.com"};
  auto endpoint = CheckEndpoint("https://api.example.com", settings);
  ASSERT_FALSE(endpoint);
  EXPECT_EQ(endpoint.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(endpoint.error().message.find("HELIX_ALLOWED_ENDPOINTS"), std::string::npos);
}

}  // namespace
}  // namespace helix::net
