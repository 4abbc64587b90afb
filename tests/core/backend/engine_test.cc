// vLLM, SGLang, Ollama and generic servers against fakes written from what is known about them: every trap is
// a personality. None of this was tested against the servers themselves.
#include "core/backend/engine.h"

#include <gtest/gtest.h>

#include "core/backend/capability_probe.h"
#include "core/backend/find_engine.h"
#include "core/base/json_fields.h"
#include "core/experiment/traffic_watch.h"
#include "tests/fakes/fake_engine.h"

namespace helix::backend {
namespace {

using fakes::EnginePersonality;
using fakes::FakeEngine;

EnginePersonality As(const std::string& kind) {
  EnginePersonality is;
  is.kind = kind;
  if (kind == "sglang") is.block = 1;
  if (kind == "ollama") is.block = 1;
  return is;
}

std::unique_ptr<Backend> Open(const FakeEngine& fake) {
  auto found = FindEngine({fake.base_url(), std::nullopt, ""}, {});
  EXPECT_TRUE(found) << found.error().Text();
  return found ? std::move(found->backend) : nullptr;
}

GenerateRequest Ids(int count, bool use_cache = true, bool stream = false) {
  GenerateRequest request;
  for (int i = 0; i < count; ++i) request.prompt.push_back(100 + i);
  request.use_cache = use_cache;
  request.stream = stream;
  request.output_tokens = 6;
  return request;
}

GenerateRequest Text(int bytes) {
  GenerateRequest request;
  for (int i = 0; i < bytes; ++i) request.text += static_cast<char>('a' + i % 23);
  request.output_tokens = 4;
  return request;
}

TEST(FindEngine, TellsTheServersApartByWhatTheyAnswer) {
  for (const char* kind : {"vllm", "sglang", "ollama", "openai-compatible"}) {
    FakeEngine fake(As(kind));
    const auto found = FindEngine({fake.base_url(), std::nullopt, ""}, {});
    ASSERT_TRUE(found) << kind;
    EXPECT_EQ(found->identity.kind, kind);
  }
}

TEST(FindEngine, AServerThatIsLoadingOrGoneIsUnavailable) {
  auto is = As("sglang");
  is.loading_replies = 1;
  FakeEngine fake(is);
  const EngineOptions options{fake.base_url(), std::nullopt, ""};
  EXPECT_EQ(FindEngine(options, {}).error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(FindEngine(options, {}));
  std::string gone;
  { gone = FakeEngine(As("vllm")).base_url(); }
  EXPECT_EQ(FindEngine({gone, std::nullopt, ""}, {}).error().code, ErrorCode::kUnavailable);
}

TEST(Vllm, ReportsAHitInWholeBlocksAndAlwaysComputesOneToken) {
  FakeEngine fake(As("vllm"));
  const auto server = Open(fake);
  ASSERT_TRUE(server->Generate(Ids(96), {}));
  const auto repeat = server->Generate(Ids(96), {});
  ASSERT_TRUE(repeat) << repeat.error().Text();
  EXPECT_EQ(repeat->cached_tokens.value(), 80) << "of 96 tokens the last block is computed again";
  EXPECT_EQ(repeat->processed_tokens.value(), 16);
  EXPECT_TRUE(repeat->has_token_ids);
  EXPECT_EQ(repeat->tokens.size(), 6U);
  EXPECT_EQ(server->capabilities().block_size, 16);
  EXPECT_TRUE(server->capabilities().prefill_time);
}

TEST(Vllm, AColdCallCarriesASaltOfItsOwnAndReusesNothing) {
  FakeEngine fake(As("vllm"));
  const auto server = Open(fake);
  ASSERT_TRUE(server->Generate(Ids(64), {}));
  std::vector<std::string> salts;
  for (int i = 0; i < 2; ++i) {
    const auto cold = server->Generate(Ids(64, false), {});
    ASSERT_TRUE(cold);
    EXPECT_EQ(cold->cached_tokens.value(), 0);
    salts.push_back(StringAt(*ParseJson(cold->request_body), "cache_salt").value_or(""));
  }
  EXPECT_FALSE(salts[0].empty());
  EXPECT_NE(salts[0], salts[1]);
  EXPECT_EQ(server->Generate(Ids(64), {})->cached_tokens.value(), 48) << "the salted calls warmed nobody";
}

TEST(Vllm, AStreamGivesDeltasAndItsUsageInALastChunkOfItsOwn) {
  auto is = As("vllm");
  is.pings = true;
  FakeEngine fake(is);
  const auto server = Open(fake);
  const auto reply = server->Generate(Ids(64, true, true), {});
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->tokens.size(), 6U);
  EXPECT_TRUE(reply->ttft_ns.present());
  EXPECT_EQ(reply->first_event_tokens.value(), 3) << "a chunk can hold several tokens";
  EXPECT_EQ(reply->prompt_tokens.value(), 64);
  EXPECT_EQ(reply->finish, "length");
}

TEST(Vllm, AZeroThatIsLeftOutIsAbsentUntilAHitWasSeenAndDerivedAfterwards) {
  auto is = As("vllm");
  is.leaves_zero_out = true;
  FakeEngine fake(is);
  const auto server = Open(fake);
  EXPECT_FALSE(server->Generate(Ids(64), {})->cached_tokens.present());
  EXPECT_EQ(server->Generate(Ids(64), {})->cached_tokens.value(), 48);
  const auto cold = server->Generate(Ids(64, false), {});
  ASSERT_TRUE(cold->cached_tokens.present());
  EXPECT_EQ(cold->cached_tokens.value(), 0);
  EXPECT_EQ(cold->cached_tokens.origin(), Origin::kDerived);
  EXPECT_FALSE(server->capabilities().zero_is_reported);
}

TEST(Vllm, WithTheReportOffNothingIsEverZero) {
  auto is = As("vllm");
  is.reports = false;
  FakeEngine fake(is);
  const auto server = Open(fake);
  const auto pair = ProbeWarmPair(*server, 4, {});
  ASSERT_TRUE(pair) << pair.error().Text();
  EXPECT_FALSE(pair->hit_seen());
  EXPECT_FALSE(pair->repeat_cached.present());
  EXPECT_FALSE(server->capabilities().cached_count);
  EXPECT_FALSE(server->Generate(Ids(64, false), {})->cached_tokens.present());
}

TEST(Vllm, AnOldServerWithoutTokenIdsIsNotSaidToHaveThem) {
  auto is = As("vllm");
  is.drops_ids = true;
  FakeEngine fake(is);
  const auto server = Open(fake);
  const auto reply = server->Generate(Ids(40), {});
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->has_token_ids);
  EXPECT_FALSE(server->capabilities().token_ids_out);
}

TEST(Vllm, ATimeThatIsNotReportedIsAbsent) {
  auto is = As("vllm");
  is.times_prefill = false;
  FakeEngine fake(is);
  const auto reply = Open(fake)->Generate(Ids(40), {});
  EXPECT_FALSE(reply->prefill_ms.present());
}

TEST(Sglang, AStreamMayBeCumulativeOrIncrementalAndGivesTheSameTokens) {
  std::vector<std::vector<TokenId>> answers;
  for (const bool incremental : {false, true}) {
    auto is = As("sglang");
    is.incremental_ids = incremental;
    FakeEngine fake(is);
    const auto reply = Open(fake)->Generate(Ids(50, true, true), {});
    ASSERT_TRUE(reply) << reply.error().Text();
    EXPECT_EQ(reply->tokens.size(), 6U);
    answers.push_back(reply->tokens);
  }
  EXPECT_EQ(answers[0], answers[1]);
}

TEST(Sglang, ReusesToThePageAndUsesAnExtraKeyForACold) {
  auto is = As("sglang");
  is.block = 64;
  FakeEngine fake(is);
  const auto server = Open(fake);
  EXPECT_EQ(server->capabilities().block_size, 64);
  ASSERT_TRUE(server->Generate(Ids(200), {}));
  EXPECT_EQ(server->Generate(Ids(200), {})->cached_tokens.value(), 192);
  const auto cold = server->Generate(Ids(200, false), {});
  EXPECT_EQ(cold->cached_tokens.value(), 0);
  EXPECT_NE(cold->request_body.find("extra_key"), std::string::npos);
}

TEST(Sglang, ARetractedRequestIsRejected) {
  auto is = As("sglang");
  is.retracts = true;
  FakeEngine fake(is);
  const auto reply = Open(fake)->Generate(Ids(50), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kProtocol);
}

TEST(Ollama, TakesTextAloneAndMakesAColdCallByLoadingAnew) {
  FakeEngine fake(As("ollama"));
  const auto server = Open(fake);
  EXPECT_EQ(server->Generate(Ids(40), {}).error().code, ErrorCode::kRefused);
  ASSERT_TRUE(server->Generate(Text(400), {}));
  EXPECT_EQ(server->Generate(Text(400), {})->cached_tokens.value(), 99);
  auto cold = Text(400);
  cold.use_cache = false;
  const auto reply = server->Generate(cold, {});
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->cached_tokens.value(), 0);
  EXPECT_FALSE(reply->has_token_ids);
}

TEST(Ollama, StreamsJsonLinesAndItsMissingCountIsNotZero) {
  auto is = As("ollama");
  is.reports = false;
  FakeEngine fake(is);
  auto request = Text(400);
  request.stream = true;
  const auto reply = Open(fake)->Generate(request, {});
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_FALSE(reply->cached_tokens.present());
  EXPECT_EQ(reply->prompt_tokens.value(), 100);
  EXPECT_TRUE(reply->prefill_ms.present());
  EXPECT_EQ(reply->text.size(), 4U);
}

TEST(OpenAiCompatible, RefusesAColdCallInsteadOfMakingAWarmOne) {
  FakeEngine fake(As("openai-compatible"));
  const auto server = Open(fake);
  EXPECT_TRUE(server->capabilities().cold_methods.empty());
  auto cold = Text(200);
  cold.use_cache = false;
  const auto reply = server->Generate(cold, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kRefused);
  EXPECT_EQ(server->Flush({}).error().code, ErrorCode::kUnavailable);
}

TEST(OpenAiCompatible, SendsNothingThatAStrictServerRefuses) {
  auto is = As("openai-compatible");
  is.refuses_unknown_fields = true;
  FakeEngine fake(is);
  EXPECT_TRUE(Open(fake)->Generate(Text(100), {}));
}

TEST(Engines, RefuseRepliesThatContradictThemselves) {
  for (const char* kind : {"vllm", "sglang"}) {
    for (bool EnginePersonality::*trap : {&EnginePersonality::counts_too_many, &EnginePersonality::aborts}) {
      auto is = As(kind);
      is.*trap = true;
      FakeEngine fake(is);
      const auto reply = Open(fake)->Generate(Ids(64), {});
      ASSERT_FALSE(reply) << kind;
      EXPECT_EQ(reply.error().code, ErrorCode::kProtocol);
    }
  }
}

TEST(Engines, AStreamThatIsCutOrCarriesAnErrorIsNoReply) {
  for (const char* kind : {"vllm", "sglang", "ollama"}) {
    for (bool EnginePersonality::*trap :
         {&EnginePersonality::cuts_stream, &EnginePersonality::error_in_stream}) {
      auto is = As(kind);
      is.*trap = true;
      FakeEngine fake(is);
      auto request = std::string(kind) == "ollama" ? Text(100) : Ids(64);
      request.stream = true;
      EXPECT_FALSE(Open(fake)->Generate(request, {})) << kind;
    }
  }
}

TEST(Engines, AnErrorThatIsAStringIsReadAsOne) {
  auto is = As("vllm");
  is.error_is_a_string = true;
  FakeEngine fake(is);
  const auto reply = Open(fake)->Generate(Ids(64), {});
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message.find("Unauthorized"), std::string::npos) << reply.error().Text();
}

TEST(ProvenReset, BelievesAResetOnlyWhenTheCountersShowIt) {
  for (const char* kind : {"vllm", "sglang"}) {
    FakeEngine honest(As(kind));
    const auto reset = ProvenReset(*Open(honest), {});
    EXPECT_TRUE(reset) << kind << reset.error().Text();
    auto lying = As(kind);
    lying.reset_lies = true;
    FakeEngine liar(lying);
    const auto found = ProvenReset(*Open(liar), {});
    ASSERT_FALSE(found) << kind;
    EXPECT_EQ(found.error().code, ErrorCode::kProtocol);
    auto busy = As(kind);
    busy.reset_is_busy = true;
    FakeEngine occupied(busy);
    EXPECT_FALSE(ProvenReset(*Open(occupied), {})) << kind;
    auto blind = As(kind);
    blind.reports = false;
    FakeEngine silent(blind);
    EXPECT_EQ(ProvenReset(*Open(silent), {}).error().code, ErrorCode::kUnavailable) << kind;
    auto off = As(kind);
    off.caches = false;
    FakeEngine cacheless(off);
    EXPECT_EQ(ProvenReset(*Open(cacheless), {}).error().code, ErrorCode::kUnavailable) << kind;
  }
  auto plain = As("vllm");
  plain.can_reset = false;
  FakeEngine production(plain);
  EXPECT_EQ(ProvenReset(*Open(production), {}).error().code, ErrorCode::kUnavailable);
}

TEST(Isolation, ShowsWhetherAHitCrossesSaltsOrKeys) {
  FakeEngine keeps_apart(As("vllm"));
  const auto apart = CheckIsolation(*Open(keeps_apart), nullptr, 3, 1, {});
  ASSERT_TRUE(apart) << apart.error().Text();
  EXPECT_EQ(StringAt(*apart, "verdict"), "ISOLATED");
  EXPECT_EQ(IntAt(*apart, "hits_same_salt"), 3);
  EXPECT_TRUE((*apart)["hits_other_key"].is_null());

  auto leaky = As("vllm");
  leaky.ignores_salt = true;
  FakeEngine crosses(leaky);
  EXPECT_EQ(StringAt(*CheckIsolation(*Open(crosses), nullptr, 3, 1, {}), "verdict"), "CROSSES");

  auto off = As("vllm");
  off.caches = false;
  FakeEngine cacheless(off);
  EXPECT_EQ(StringAt(*CheckIsolation(*Open(cacheless), nullptr, 3, 1, {}), "verdict"), "UNCONFIRMED");

  for (const bool one_cache_for_all : {false, true}) {
    auto is = As("vllm");
    is.ignores_key = one_cache_for_all;
    FakeEngine fake(is);
    auto mine = FindEngine({fake.base_url(), "key-one", ""}, {});
    auto other = FindEngine({fake.base_url(), "key-two", ""}, {});
    ASSERT_TRUE(mine && other);
    const auto found = CheckIsolation(*mine->backend, other->backend.get(), 2, 1, {});
    ASSERT_TRUE(found) << found.error().Text();
    EXPECT_EQ(IntAt(*found, "hits_other_key"), one_cache_for_all ? 2 : 0);
    EXPECT_EQ(StringAt(*found, "verdict"), one_cache_for_all ? "CROSSES" : "ISOLATED");
  }
}

TEST(Totals, AgreeWithTheRepliesAndShowAnotherClientsWork) {
  for (const int foreign : {0, 500}) {
    for (const char* kind : {"vllm", "sglang"}) {
      auto is = As(kind);
      is.foreign_tokens = foreign;
      FakeEngine fake(is);
      const auto server = Open(fake);
      experiment::TrafficWatch watch(*server, {});
      EXPECT_STREQ(watch.source(), "metrics");
      const auto reply = server->Generate(Ids(64), {});
      ASSERT_TRUE(reply);
      const Json beyond = watch.Beyond(*reply, {});
      EXPECT_EQ(beyond.is_null(), foreign == 0) << kind << beyond;
      if (foreign > 0) {
        EXPECT_EQ(IntAt(beyond, "processed"), foreign) << kind;
      }
    }
  }
}

TEST(Totals, AreReadAgainUntilTheyHaveMoved) {
  auto is = As("vllm");
  is.totals_lag_calls = 3;
  FakeEngine fake(is);
  const auto server = Open(fake);
  experiment::TrafficWatch watch(*server, {});
  for (int i = 0; i < 3; ++i) {
    const auto reply = server->Generate(Ids(64), {});
    ASSERT_TRUE(reply);
    EXPECT_TRUE(watch.Beyond(*reply, {}).is_null()) << "a late total is not another client";
  }
}

}  // namespace
}  // namespace helix::backend
