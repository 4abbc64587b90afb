#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "core/base/file.h"
#include "core/net/http_client.h"
#include "tests/core/net/tls_fake_server.h"
#include "tests/support/paths.h"

namespace helix::net {
namespace {

using fakes::TlsFakeServer;

constexpr char kReply[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

Result<HttpResponse> Ask(const TlsFakeServer& server, const std::string& host, bool trust,
                         bool connect_first = false) {
  std::signal(SIGPIPE, SIG_IGN);  // for the fake server's side
  HttpClientOptions options;
  options.resolver = [](const std::string&) -> Result<std::vector<IpAddress>> {
    return std::vector<IpAddress>{*ParseIpAddress("127.0.0.1")};
  };
  if (trust) {
    options.ca_file = testing_support::ScratchDir() + "/ca.pem";
    EXPECT_TRUE(WriteFileAtomic(options.ca_file, server.certificate_pem()));
  }
  HttpClient client("https://" + host + ":" + std::to_string(server.port()), options);
  if (connect_first) {
    EXPECT_TRUE(client.Connect({}));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the server's session tickets arrive
  }
  return client.Send({}, {});
}

TEST(Tls, ReadsOverAVerifiedConnection) {
  TlsFakeServer server("DNS:api.example", kReply);
  auto reply = Ask(server, "api.example", true);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "ok");
}

TEST(Tls, AConnectionOpenedBeforeTheRequestIsUsedForIt) {
  TlsFakeServer server("DNS:api.example", kReply);
  auto reply = Ask(server, "api.example", true, true);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_TRUE(reply->connection_reused);
}

TEST(Tls, AcceptsAnAddressThatTheCertificateNames) {
  TlsFakeServer server("IP:127.0.0.1", kReply);
  auto reply = Ask(server, "127.0.0.1", true);
  EXPECT_TRUE(reply) << reply.error().message;
}

TEST(Tls, RefusesACertificateThatNobodyTrusts) {
  TlsFakeServer server("DNS:api.example", kReply);
  auto reply = Ask(server, "api.example", false);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(reply.error().message.find("certificate was not accepted"), std::string::npos)
      << reply.error().message;
}

TEST(Tls, RefusesACertificateForAnotherName) {
  TlsFakeServer server("DNS:api.example", kReply);
  EXPECT_FALSE(Ask(server, "other.example", true));
  TlsFakeServer by_name("DNS:localhost", kReply);
  EXPECT_FALSE(Ask(by_name, "127.0.0.1", true));
}

TEST(Tls, AnEndWithoutATlsCloseIsNotAWholeReply) {
  TlsFakeServer proper("DNS:api.example", "HTTP/1.1 200 OK\r\n\r\nall");
  EXPECT_TRUE(Ask(proper, "api.example", true));
  TlsFakeServer cut("DNS:api.example", "HTTP/1.1 200 OK\r\n\r\nall", false);
  EXPECT_FALSE(Ask(cut, "api.example", true));
}

}  // namespace
}  // namespace helix::net
