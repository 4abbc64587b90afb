#include "core/net/sse_error.h"

#include <gtest/gtest.h>

namespace helix::net {
namespace {

std::string MessageFor(const std::string& type, const std::string& data) {
  SseEvent event;
  event.event = type;
  event.data = data;
  auto status = SseErrorOf(event);
  return status ? "" : status.error().message;
}

TEST(SseErrorOf, ReadsTheServersMessageFromEveryShape) {
  for (const auto& [type, data] : std::vector<std::pair<std::string, std::string>>{
           {"", R"({"error":{"code":500,"message":"slot lost"}})"},
           {"", R"({"error":"slot lost"})"},
           {"error", R"({"type":"error","error":{"type":"overloaded_error","message":"slot lost"}})"},
           {"error", R"({"code":500,"message":"slot lost"})"},
           {"error", "slot lost"}}) {
    EXPECT_NE(MessageFor(type, data).find("slot lost"), std::string::npos) << data;
  }
}

TEST(SseErrorOf, PassesEventsThatOnlyLookLikeErrors) {
  EXPECT_EQ(MessageFor("", R"({"content":"an \"error\" in text"})"), "");
  EXPECT_EQ(MessageFor("", R"({"error":null,"content":"x"})"), "");
  EXPECT_EQ(MessageFor("", R"({"choices":[{"error":"inner"}]})"), "");
  EXPECT_EQ(MessageFor("", "[DONE]"), "");
  EXPECT_EQ(MessageFor("message_start", R"({"type":"message_start"})"), "");
}

}  // namespace
}  // namespace helix::net
