#include "core/net/resolver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/base/clock.h"

namespace helix::net {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Resolver Answers(std::vector<std::string> addresses) {
  return [addresses](const std::string&) -> Result<std::vector<IpAddress>> {
    std::vector<IpAddress> list;
    for (const std::string& text : addresses) list.push_back(*ParseIpAddress(text));
    return list;
  };
}

Resolver NeverAsked() {
  return [](const std::string& host) -> Result<std::vector<IpAddress>> {
    ADD_FAILURE() << "asked for " << host;
    return std::vector<IpAddress>{};
  };
}

TEST(ParseIpAddress, ReadsTheCanonicalSpellingOnly) {
  for (const char* good : {"127.0.0.1", "::1", "2001:db8::1", "10.1.2.3"})
    EXPECT_TRUE(ParseIpAddress(good)) << good;
  for (const char* bad : {"", "127.1", "0177.0.0.1", "::01", "2001:DB8::1", "1.2.3.4 ", "[::1]", "::1%lo"}) {
    EXPECT_FALSE(ParseIpAddress(bad)) << bad;
  }
}

TEST(AddressClass, FollowsTheBinaryForm) {
  auto of = [](const char* text) { return ParseIpAddress(text)->Class(); };
  for (const char* a : {"127.0.0.1", "127.255.0.9", "::1"}) EXPECT_EQ(of(a), AddressClass::kLoopback) << a;
  for (const char* a :
       {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "fc00::1", "fd12::1"}) {
    EXPECT_EQ(of(a), AddressClass::kPrivate) << a;
  }
  for (const char* a : {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2600::1"})
    EXPECT_EQ(of(a), AddressClass::kPublic) << a;
  for (const char* a : {"0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "::", "fe80::1",
                        "ff02::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::1"}) {
    EXPECT_EQ(of(a), AddressClass::kForbidden) << a;
  }
}

TEST(ResolveAndJudge, LocalhostAndLiteralsAskNobody) {
  auto local = ResolveAndJudge("localhost", NeverAsked(), kSecond, {});
  ASSERT_TRUE(local);
  EXPECT_EQ(local->at(0).Text(), "127.0.0.1");
  EXPECT_EQ(local->at(1).Text(), "::1");
  EXPECT_TRUE(ResolveAndJudge("10.0.0.1", NeverAsked(), kSecond, {}));
}

TEST(ResolveAndJudge, RefusesForbiddenAndMixedAnswers) {
  for (const auto& answer : std::vector<std::vector<std::string>>{{"169.254.169.254"},
                                                                  {"8.8.8.8", "127.0.0.1"},
                                                                  {"10.0.0.1", "8.8.8.8"},
                                                                  {"8.8.8.8", "fe80::1"},
                                                                  {"0.0.0.0"}}) {
    auto judged = ResolveAndJudge("name.example", Answers(answer), kSecond, {});
    ASSERT_FALSE(judged) << answer.back();
    EXPECT_EQ(judged.error().code, ErrorCode::kRefused);
  }
  EXPECT_TRUE(ResolveAndJudge("name.example", Answers({"8.8.8.8", "2600::1"}), kSecond, {}));
  EXPECT_TRUE(ResolveAndJudge("gpu-box", Answers({"192.168.1.5"}), kSecond, {}));
}

TEST(ResolveAndJudge, AStopRequestEndsTheWaitForASlowResolver) {
  auto release = std::make_shared<std::atomic<bool>>(false);
  Resolver slow = [release](const std::string&) -> Result<std::vector<IpAddress>> {
    while (!*release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Fail(ErrorCode::kUnavailable, "late");
  };
  std::stop_source source;
  source.request_stop();
  auto stopped = ResolveAndJudge("slow.example", slow, 10 * kSecond, source.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  auto late = ResolveAndJudge("slow.example", slow, kSecond / 50, {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kTimeout);
  *release = true;
}

}  // namespace
}  // namespace helix::net
