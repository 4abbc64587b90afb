// Servers that lie about their cache. None may get a PASS, and each is told why.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/equivalence/oracle.h"
#include "core/equivalence/oracle_report.h"
#include "tests/fakes/lying_backend.h"

namespace helix::equivalence {
namespace {

using backend::GenerateReply;
using backend::GenerateRequest;
using fakes::Lie;
using fakes::LyingBackend;
using fakes::ToyBackend;
using fakes::ToyOptions;

OracleOptions Small() {
  OracleOptions out = QuickOptions();
  out.shapes.length = 130;
  out.shapes.spread = 8;
  out.shapes.output_tokens = 16;
  out.shapes.boundaries = {16};
  out.conversation.opening = 24;
  out.conversation.message = 8;
  out.conversation.output_tokens = 16;
  return out;
}

OracleResult Ask(const Lie& lie, OracleOptions options = Small(), const ToyOptions& toy = {}) {
  LyingBackend backend(toy, lie);
  const RunContext context;
  const auto identity = backend.Identify(context);
  auto result = RunOracle(backend, *identity, options, context);
  EXPECT_TRUE(result) << result.error().Text();
  return result ? *std::move(result) : OracleResult{};
}

// The code of the first refusal; empty when no case was refused.
std::string Refused(const OracleResult& result) {
  for (const CaseResult& one : result.cases) {
    if (!one.refused.empty()) return one.refused[0].code;
  }
  return {};
}

void ExpectRefused(const char* code, const Lie& lie) {
  const OracleResult result = Ask(lie);
  EXPECT_EQ(result.verdict, "INCONCLUSIVE") << code << ": " << result.reason;
  EXPECT_EQ(Refused(result), code) << result.reason;
  EXPECT_NE(result.reason.find(code), std::string::npos) << result.reason;
}

void SetCached(GenerateReply& reply, std::int64_t cached) {
  reply.cached_tokens = {cached, Origin::kServer};
  reply.processed_tokens = {reply.prompt_tokens.value() - cached, Origin::kServer};
}

TEST(Lies, AServerThatTellsTheTruthPasses) {
  EXPECT_EQ(Ask([](const GenerateRequest&, GenerateReply&) {}).verdict, "PASS");
}

TEST(Lies, AStoredResponseIsNoSecondAnswer) {
  std::map<std::vector<TokenId>, std::string> stored;
  ExpectRefused("tautology_same_response", [&stored](const GenerateRequest& request, GenerateReply& reply) {
    reply.response_body = stored.try_emplace(request.prompt, reply.response_body).first->second;
  });
}

TEST(Lies, AStoredFreshAnswerIsNoBaseline) {
  std::map<std::vector<TokenId>, std::string> stored;
  ExpectRefused("tautology_same_response", [&stored](const GenerateRequest& request, GenerateReply& reply) {
    if (request.use_cache) return;
    reply.response_body = stored.try_emplace(request.prompt, reply.response_body).first->second;
  });
}

TEST(Lies, AHitOnOneTokenIsNoHit) {
  ExpectRefused("trivial_prefix_as_hit", [](const GenerateRequest& request, GenerateReply& reply) {
    if (request.use_cache) SetCached(reply, 1);
  });
}

TEST(Lies, ACounterBeyondThePromptIsNoCounter) {
  ExpectRefused("cached_gt_prompt", [](const GenerateRequest& request, GenerateReply& reply) {
    if (request.use_cache) SetCached(reply, reply.prompt_tokens.value() + 7);
  });
}

TEST(Lies, CountersThatDoNotAddUpProveNothing) {
  ExpectRefused("counter_identity", [](const GenerateRequest& request, GenerateReply& reply) {
    if (request.use_cache) reply.processed_tokens = {reply.prompt_tokens.value(), Origin::kServer};
  });
}

TEST(Lies, ASecondFreshArmFromTheCacheIsNoBaseline) {
  std::map<std::vector<TokenId>, int> asked;
  ExpectRefused("fresh_was_cached", [&asked](const GenerateRequest& request, GenerateReply& reply) {
    if (!request.use_cache && request.output_tokens > 1 && ++asked[request.prompt] == 2) SetCached(reply, 9);
  });
}

TEST(Lies, AServerThatCountsAnotherPromptWasAskedAnother) {
  ExpectRefused("prompt_tokens_differ", [](const GenerateRequest&, GenerateReply& reply) {
    const std::int64_t cached = reply.cached_tokens.value();
    reply.prompt_tokens = {reply.prompt_tokens.value() + 3, Origin::kServer};
    SetCached(reply, cached);
  });
}

TEST(Lies, ACutPromptIsNotThePrompt) {
  ExpectRefused("truncated", [](const GenerateRequest&, GenerateReply& reply) { reply.truncated = true; });
}

TEST(Lies, EmptyAnswersAgreeOnNothing) {
  ExpectRefused("empty_output", [](const GenerateRequest&, GenerateReply& reply) {
    reply.tokens.clear();
    reply.logprobs.clear();
    reply.text.clear();
  });
}

TEST(Lies, OneTokenIsTooFew) {
  ExpectRefused("too_few_tokens", [](const GenerateRequest&, GenerateReply& reply) {
    reply.tokens.resize(1);
    if (!reply.logprobs.empty()) reply.logprobs.resize(1);
  });
}

TEST(Lies, LogProbabilitiesOfOneArmAloneAreNotCompared) {
  ExpectRefused("logprobs_missing", [](const GenerateRequest& request, GenerateReply& reply) {
    if (request.use_cache) reply.logprobs.clear();
  });
}

TEST(Lies, EqualTokensWithoutLogProbabilitiesAreNotEnough) {
  const OracleResult result = Ask([](const GenerateRequest& request, GenerateReply& reply) {
    std::size_t seen = 0;
    for (const TokenId id : request.prompt) seen = seen * 31 + static_cast<std::size_t>(id);
    for (std::size_t i = 0; i < reply.tokens.size(); ++i)
      reply.tokens[i] = static_cast<TokenId>((seen + i * 5) % fakes::kToyVocabulary);
    reply.logprobs.clear();
  });
  EXPECT_EQ(result.cls, Class::kExact);
  EXPECT_EQ(result.verdict, "INCONCLUSIVE");
  EXPECT_NE(result.reason.find("no log-probabilities"), std::string::npos) << result.reason;
}

TEST(Lies, AnEmptyCachedAnswerDoesNotPass) {
  const OracleResult result = Ask([](const GenerateRequest& request, GenerateReply& reply) {
    if (!request.use_cache) return;
    reply.tokens.clear();
    reply.logprobs.clear();
  });
  EXPECT_NE(result.verdict, "PASS") << result.reason;
  EXPECT_NE(result.cls, Class::kExact);
}

// The counters are consistent and the answers right, but every prompt is computed in full.
TEST(Lies, AHitThatSavesNoTimeIsNotBelieved) {
  const OracleResult result = Ask([](const GenerateRequest&, GenerateReply& reply) {
    reply.prefill_ms = {static_cast<double>(reply.prompt_tokens.value()), Origin::kServer};
  });
  EXPECT_EQ(result.verdict, "INCONCLUSIVE") << result.reason;
  EXPECT_NE(result.reason.find("hit_counter"), std::string::npos) << result.reason;
  const OracleResult honest = Ask([](const GenerateRequest&, GenerateReply& reply) {
    reply.prefill_ms = {static_cast<double>(reply.processed_tokens.value()), Origin::kServer};
  });
  EXPECT_EQ(honest.verdict, "PASS") << honest.reason;
}

// "Fresh" answers come from the damaged cache too, so that both arms agree. Only another server knows better.
TEST(Lies, AFreshArmThatIsSecretlyCachedIsSeenBySecondServer) {
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kCorruptedRow;
  toy.ignores_the_switch = true;
  std::unique_ptr<ToyBackend> other;
  OracleOptions options = Small();
  options.control_server = [&](std::int64_t ubatch, const RunContext&) -> Result<backend::Backend*> {
    ToyOptions honest;
    honest.shape.ubatch = static_cast<int>(ubatch);
    other = std::make_unique<ToyBackend>(honest);
    return other.get();
  };
  const OracleResult result = Ask(
      [](const GenerateRequest& request, GenerateReply& reply) {
        if (!request.use_cache) SetCached(reply, 0);
      },
      options, toy);
  EXPECT_NE(result.verdict, "PASS") << result.reason;
}

TEST(Lies, AServerThatDoesNotReadItsPromptProvesNothing) {
  const OracleResult result = Ask([](const GenerateRequest&, GenerateReply& reply) {
    for (std::size_t i = 0; i < reply.tokens.size(); ++i) {
      reply.tokens[i] = static_cast<TokenId>(i * 5 % 31);
      if (i < reply.logprobs.size())
        reply.logprobs[i] = {reply.tokens[i], -0.1, {{reply.tokens[i], "x", -0.1}}};
    }
  });
  EXPECT_EQ(result.verdict, "INCONCLUSIVE") << result.reason;
  EXPECT_FALSE(result.refused_across.empty());
  EXPECT_FALSE(result.negative_controls[0].detected);
}

TEST(Lies, NumbersThatAreNoneAreNoAgreement) {
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const OracleResult result = Ask([number](const GenerateRequest& request, GenerateReply& reply) {
      if (!request.use_cache) return;
      for (auto& position : reply.logprobs) {
        position.logprob = number;
        for (auto& top : position.top) top.logprob = number;
      }
    });
    EXPECT_NE(result.verdict, "PASS") << number << result.reason;
    EXPECT_FALSE(DumpJson(ResultJson(result, Small())).empty());
  }
}

TEST(Lies, TokensThatCannotBeAreShownNotTrusted) {
  const OracleResult result = Ask([](const GenerateRequest& request, GenerateReply& reply) {
    if (request.use_cache) reply.tokens.back() = -2147483647;
  });
  EXPECT_NE(result.verdict, "PASS");
  EXPECT_NE(ResultText(ResultJson(result, Small())).find("First divergence"), std::string::npos);
}

}  // namespace
}  // namespace helix::equivalence
