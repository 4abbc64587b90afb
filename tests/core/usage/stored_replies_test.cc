#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/usage/usage_stream.h"
#include "tests/core/usage/read.h"
#include "tests/support/paths.h"

namespace helix::usage {
namespace {

std::string Stored(const std::string& name) {
  return *ReadFile(testing_support::TestData("replies/" + name));
}

Json SumOfWrites(const Json& form) {
  Json sum;
  for (const char* part : {"cache_write_5m", "cache_write_1h", "cache_write_other"}) {
    if (form[part].is_null()) continue;
    sum = (sum.is_null() ? 0 : sum.get<std::int64_t>()) + form[part].get<std::int64_t>();
  }
  return sum;
}

// Flags of the stored expectations that need knowledge from outside the reply.
bool NeedsMoreThanTheReply(const std::string& flag) {
  return flag == "contended_timing" || flag == "block_1600";
}

void ExpectForm(const std::string& name, const Json& form, const Json& want) {
  EXPECT_EQ(form["in_total"], want["prompt_total"]) << name;
  EXPECT_EQ(form["cache_read"], want["cached"]) << name;
  EXPECT_EQ(SumOfWrites(form), want["cache_write"]) << name;
  EXPECT_EQ(form["prefilled"], want["prefilled"]) << name;
  EXPECT_EQ(form["out_total"], want["completion"]) << name;
  EXPECT_EQ(form["prefill_ms"], want["prefill_ms"]) << name;
  EXPECT_EQ(form["decode_ms"], want["decode_ms"]) << name;
  EXPECT_EQ(form["visibility"], want["visibility"]) << name;
  Json flags = Json::array();
  for (const auto& flag : want["flags"]) {
    if (!NeedsMoreThanTheReply(flag.get<std::string>())) flags.push_back(flag);
  }
  for (const auto& flag : flags) EXPECT_TRUE(HasFlag(form, flag.get<std::string>())) << name << " " << flag;
  for (const char* reuse :
       {"hit", "partial_hit", "trivial_reuse", "cold", "write", "below_minimum_candidate"}) {
    bool wanted = std::find(flags.begin(), flags.end(), reuse) != flags.end();
    EXPECT_EQ(HasFlag(form, reuse), wanted) << name << " " << reuse;
  }
}

TEST(StoredReplies, EachGivesItsNormalForm) {
  Json expected = *ReadJsonFile(testing_support::TestData("replies/expected.json"));
  ASSERT_EQ(expected.size(), 28u);
  for (const auto& [name, entry] : expected.items())
    ExpectForm(name, ReadText(Stored(name)), entry["expect"]);
}

TEST(StoredReplies, StreamsReadTheSameAtEverySplitPoint) {
  for (const char* name : {"anthropic_compat_cache_in_delta.sse", "anthropic_stream_read.sse",
                           "anthropic_stream_write.sse", "kimi_stream_choice_usage.sse"}) {
    const std::string body = Stored(name);
    const Json whole = ReadText(body);
    for (std::size_t at = 0; at <= body.size(); ++at) {
      UsageStream stream;
      ASSERT_TRUE(stream.Feed(body.substr(0, at)));
      ASSERT_TRUE(stream.Feed(body.substr(at)));
      ASSERT_EQ(ToJson(stream.Finish()), whole) << name << " split at " << at;
    }
  }
}

TEST(StoredReplies, AStreamCutAnywhereNeverLooksWhole) {
  const std::string body = Stored("anthropic_stream_write.sse");
  const auto last = body.rfind("event: message_stop");
  for (std::size_t at = 0; at < last; ++at) {
    UsageStream stream;
    ASSERT_TRUE(stream.Feed(body.substr(0, at)));
    ASSERT_TRUE(stream.Finish().usage.HasFlag("truncated")) << at;
  }
}

}  // namespace
}  // namespace helix::usage
