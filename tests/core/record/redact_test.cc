#include "core/record/redact.h"

#include <gtest/gtest.h>

namespace helix::record {
namespace {

TEST(Redact, TakesOutTheValuesOfCredentialHeaders) {
  const auto secrets = SecretsIn({{"authorization", "Bearer canary-1234567"},
                                  {"x-api-key", "canary-abcdefg"},
                                  {"accept", "text/plain"}});
  EXPECT_EQ(Redact("a canary-1234567 b canary-abcdefg text/plain", secrets),
            "a [redacted] b [redacted] text/plain");
}

TEST(Redact, TakesOutWhatLooksLikeAKeyAndLeavesWords) {
  EXPECT_EQ(Redact("key sk-ant-0123456789abcdefXYZ.", {}), "key [redacted].");
  EXPECT_EQ(Redact("ghp_0123456789abcdef0123", {}), "[redacted]");
  EXPECT_EQ(Redact("risk-averse sk-short desk-0123456789abcdef0123", {}),
            "risk-averse sk-short desk-0123456789abcdef0123");
}

TEST(Redact, KeepsHarmlessHeadersOnly) {
  const auto kept =
      HarmlessHeaders({{"authorization", "x"}, {"cookie", "y"}, {"content-type", "z"}, {"x-custom", "w"}});
  EXPECT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.count("content-type"), 1u);
}

TEST(Redact, HidesTheValuesOfAQuery) {
  EXPECT_EQ(RedactTarget("/v1/messages?beta=true&key=AIzaSecret"), "/v1/messages?beta=true&key=[redacted]");
  EXPECT_EQ(RedactTarget("/v1/messages"), "/v1/messages");
}

}  // namespace
}  // namespace helix::record
