// A Track B run against the fake API, with a made-up price and a planted key.
#pragma once
#include <gtest/gtest.h>

#include <map>

#include "core/base/file.h"
#include "core/tracks/track_b/track_b.h"
#include "tests/core/tracks/track_b/fake_messages_api.h"
#include "tests/support/paths.h"

namespace helix::tracks {

inline const char* kKey = "sk-ant-planted-0123456789";
inline const char* kPrices =
    R"({"format":"helix.prices/1","rows":[{"route":"anthropic","model":"claude-test-1","source":"test",
  "usd_per_mtok":{"in":5,"write_5m":6.25,"write_1h":10,"read":0.5,"out":25}},{"route":"anthropic","model":"fake-1","source":"test",
  "usd_per_mtok":{"in":5,"write_5m":6.25,"write_1h":10,"read":0.5,"out":25}},{"route":"anthropic","model":"free-1","source":"test",
  "usd_per_mtok":{"in":0,"write_5m":0,"write_1h":0,"read":0,"out":0}}]})";

inline EnvReader Env(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    auto it = values.find(name);
    return it == values.end() ? std::nullopt : std::optional(it->second);
  };
}

struct Bench {
  FakeMessagesApi api;
  fakes::FakeHttpServer server{
      [this](const auto& received, auto& connection) { api.Answer(received, connection); }};
  Settings settings;
  TrackBRequest request;
  std::string dir = testing_support::ScratchDir();

  Bench() {
    settings.report_dir = dir;
    request.target.provider = "anthropic";
    request.target.model = "claude-test-1";
    request.options.prefix_tokens = 1500;
    request.spend.prices_file = dir + "/prices.json";
    EXPECT_TRUE(WriteFileAtomic(request.spend.prices_file, kPrices));
  }
  Json Run(bool paid, std::optional<double> max_usd) {
    request.spend.paid = paid;
    request.spend.max_usd = max_usd;
    auto env = Env({{"ANTHROPIC_API_KEY", kKey}, {"ANTHROPIC_BASE_URL", server.base_url()}});
    return RunTrackB(request, settings, env, RunContext{}).value();
  }
};

inline bool HasFinding(const Json& result, const std::string& code) {
  for (const auto& finding : result["findings"]) {
    if (finding["code"] == code) return true;
  }
  return false;
}

}  // namespace helix::tracks
