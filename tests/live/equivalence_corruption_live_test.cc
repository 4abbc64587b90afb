// Real corruptions of a real llama-server's cache, and what the oracle says of each. docs/equivalence.md has
// the printed numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "core/backend/llama_reply.h"
#include "core/backend/llama_request.h"
#include "core/base/file.h"
#include "core/equivalence/classifier.h"
#include "core/equivalence/control_arm.h"
#include "core/equivalence/control_servers.h"
#include "tests/live/live_llama.h"

namespace helix::equivalence {
namespace {

using live::Flash;
using live::LiveLlama;

Comparison Against(const Answer& cached, const Answer& fresh, double noise) {
  Comparison in;
  in.cached = cached.output;
  in.fresh = fresh.output;
  in.fresh_again = fresh.output;
  in.control_noise = noise;
  return in;
}

Finding Judged(const char* what, const Answer& cached, const Answer& fresh, double noise) {
  const Finding finding = Classify(Against(cached, fresh, noise));
  std::printf("%s: %s, tokens %s, D_CF %.2e, %s\n", what, ClassName(finding.cls),
              finding.divergence ? "differ" : "are the same", finding.d_cf ? finding.d_cf->max : -1,
              finding.reason.c_str());
  return finding;
}

std::vector<TokenId> Joined(std::vector<TokenId> head, const std::vector<TokenId>& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

// One prompt, its fresh answer, and the slot saved right after the prompt.
struct Saved {
  std::vector<TokenId> prompt;
  Answer fresh;
  std::string bytes;
};

Saved SaveSlot(LiveLlama& server) {
  Saved out;
  out.prompt = server.Prompt(7, 500);
  out.fresh = server.runner->Ask(out.prompt, false, 16).value();
  EXPECT_TRUE(server.runner->Prime(out.prompt));
  EXPECT_EQ(server.Slot("save", "slot.bin").value("n_saved", 0), 500);
  out.bytes = ReadFile(server.SlotFile("slot.bin")).value();
  return out;
}

Json Restore(LiveLlama& server, const std::string& bytes) {
  EXPECT_TRUE(WriteFileAtomic(server.SlotFile("changed.bin"), bytes));
  return server.Slot("restore", "changed.bin");
}

TEST(EquivalenceCorruptionLive, CatchesOneByteFlippedInASavedSlotOnTheExactConfiguration) {
  LiveLlama server(Flash("off"));
  const Saved saved = SaveSlot(server);
  EXPECT_TRUE(Restore(server, saved.bytes).contains("n_restored"));
  const Answer whole = server.runner->Ask(saved.prompt, true, 16).value();
  EXPECT_EQ(whole.output.cached_tokens, 499);
  EXPECT_TRUE(Classify(Against(whole, saved.fresh, 0)).bit_equal) << "an unharmed file restores the cache";

  std::string flipped = saved.bytes;
  flipped[flipped.size() / 2 | 1] ^= 0x08;
  EXPECT_TRUE(Restore(server, flipped).contains("n_restored")) << "restored without complaint";
  const Answer wrong = server.runner->Ask(saved.prompt, true, 16).value();
  EXPECT_EQ(wrong.output.cached_tokens, 499);
  const Finding finding = Judged("one byte flipped, -fa off", wrong, saved.fresh, 0);
  EXPECT_FALSE(finding.divergence) << "invisible in the tokens";
  EXPECT_EQ(finding.cls, Class::kCorruption);
}

// Where batch shapes move log-probabilities further than the damage does, it cannot be told from numerics.
TEST(EquivalenceCorruptionLive, CannotSeeThatByteUnderTheNoiseOfFlashAttention) {
  LiveLlama server(Flash("on"));
  ControlServers controls(server.options);
  const Saved saved = SaveSlot(server);
  const ShapeCase shape{"exact_repeat", 0, saved.prompt, saved.prompt, 500, 16, {}};
  const ArmAnswers answers = server.runner->Run(shape).value();
  const auto control = SecondServerControl(
      *server.runner,
      [&](std::int64_t ubatch, const RunContext& context) { return controls.WithUbatch(ubatch, context); },
      shape, answers);
  ASSERT_TRUE(control) << control.error().Text();
  ASSERT_FALSE(control->deltas.empty());
  const double noise = *std::max_element(control->deltas.begin(), control->deltas.end());
  std::string flipped = saved.bytes;
  flipped[flipped.size() / 2 | 1] ^= 0x08;
  ASSERT_TRUE(Restore(server, flipped).contains("n_restored"));
  const Answer wrong = server.runner->Ask(saved.prompt, true, 16).value();
  const Finding finding = Judged("one byte flipped, -fa on", wrong, saved.fresh, noise);
  EXPECT_GT(noise, 1e-3);
  EXPECT_NE(finding.cls, Class::kCorruption) << "the document says that this is not seen: it is now";
}

TEST(EquivalenceCorruptionLive, SurvivesAServerThatDiesOfATornSlot) {
  LiveLlama server(Flash("off"));
  const Saved saved = SaveSlot(server);
  const Json restored = Restore(server, saved.bytes.substr(0, saved.bytes.size() - 1));
  std::printf("restore of a file cut by one byte: %s\n", DumpJson(restored).c_str());
  EXPECT_FALSE(restored.contains("n_restored"));
  const auto after = server.runner->Ask(saved.prompt, true, 16);
  if (after) {
    // A build that refuses the file must compute the prompt, or reuse what is right.
    EXPECT_TRUE(Classify(Against(*after, saved.fresh, 0)).bit_equal);
    return;
  }
  std::printf("the server is gone: %s\n", after.error().Text().c_str());
  EXPECT_EQ(after.error().code, ErrorCode::kUnavailable) << after.error().Text();
  EXPECT_FALSE(server.server->LogTail().empty());
}

TEST(EquivalenceCorruptionLive, ComputesAnewAfterASlotFileOfWhichHalfIsMissing) {
  LiveLlama server(Flash("off"));
  const Saved saved = SaveSlot(server);
  const Json restored = Restore(server, saved.bytes.substr(0, saved.bytes.size() / 2));
  EXPECT_TRUE(restored.contains("failed")) << DumpJson(restored);
  const auto after = server.runner->Ask(saved.prompt, true, 16);
  ASSERT_TRUE(after) << after.error().Text();
  EXPECT_EQ(after->output.cached_tokens, 0) << "a refused file leaves an empty slot";
  EXPECT_TRUE(Classify(Against(*after, saved.fresh, 0)).bit_equal);
}

// llama-server's own body, with the field that forbids shifting left out.
Answer AskShifted(LiveLlama& server, const std::vector<TokenId>& prompt) {
  backend::GenerateRequest request;
  request.prompt = prompt;
  request.output_tokens = 16;
  request.top_logprobs = 5;
  Json body = backend::LlamaCompletionBody(request);
  body.erase("n_cache_reuse");
  backend::LlamaHttp http(server.server->base_url(), std::nullopt);
  backend::GenerateReply reply;
  auto answer = http.PostJson("/completion", body, server.context);
  EXPECT_TRUE(answer) << answer.error().Text();
  auto read = backend::ReadLlamaFinal(*answer, reply);
  EXPECT_TRUE(read) << read.error().Text();
  return {FromReply(reply), ""};
}

TEST(EquivalenceCorruptionLive, CatchesAChunkThatCacheReuseShifted) {
  backend::ManagedServerFlags flags = Flash("off");
  flags.extra = {"--cache-reuse", "256"};
  LiveLlama server(flags);
  auto source = PromptSource::Make(*server.client, 9, 2000, server.context).value();
  const auto a = source.Prompt(400);
  const auto b = source.Continuation(300);
  const auto c = source.Continuation(600);
  const auto prompt = Joined(Joined(a, c), source.Continuation(20));
  ASSERT_TRUE(server.runner->Prime(Joined(Joined(a, b), c)));
  const Answer shifted = AskShifted(server, prompt);
  const Answer fresh = server.runner->Ask(prompt, false, 16).value();
  std::printf("reused %lld of %zu tokens\n",
              static_cast<long long>(shifted.output.cached_tokens.value_or(-1)), prompt.size());
  EXPECT_GT(shifted.output.cached_tokens.value_or(0), 400) << "the chunk was not shifted: nothing is shown";
  EXPECT_EQ(Judged("--cache-reuse, shifted chunk", shifted, fresh, 0).cls, Class::kCorruption);
  // The check's own requests forbid shifting: the same server, asked by them, reuses only the prefix.
  ASSERT_TRUE(server.runner->Prime(Joined(Joined(a, b), c)));
  const Answer plain = server.runner->Ask(prompt, true, 16).value();
  EXPECT_EQ(plain.output.cached_tokens, 400);
  EXPECT_TRUE(Classify(Against(plain, fresh, 0)).bit_equal);
}

TEST(EquivalenceCorruptionLive, CatchesQuantisedKeysAgainstWholeOnes) {
  LiveLlama whole(Flash("off"));
  backend::ManagedServerFlags flags = Flash("off");
  flags.cache_type_k = "q8_0";
  LiveLlama quantised(flags);
  const auto prompt = whole.Prompt(11, 500);
  const Answer fresh = whole.runner->Ask(prompt, false, 32).value();
  ASSERT_TRUE(quantised.runner->Prime(prompt));
  const Answer cached = quantised.runner->Ask(prompt, true, 32).value();
  EXPECT_EQ(Judged("q8_0 keys against f16, -fa off", cached, fresh, 0).cls, Class::kCorruption);
  const Answer own = quantised.runner->Ask(prompt, false, 32).value();
  EXPECT_TRUE(Classify(Against(cached, own, 0)).bit_equal) << "the same cache type in both arms";
}

// Keys and values in q8_0 need flash attention, whose noise on an f16 cache the control measures.
TEST(EquivalenceCorruptionLive, CatchesAQuantisedCacheAgainstAWholeOneWithFlashAttention) {
  LiveLlama whole(Flash("on"));
  backend::ManagedServerFlags flags = Flash("on");
  flags.cache_type_k = flags.cache_type_v = "q8_0";
  LiveLlama quantised(flags);
  EXPECT_EQ(quantised.server->startup().cache_type_k, "q8_0");
  EXPECT_EQ(quantised.server->startup().cache_type_v, "q8_0");
  const auto prompt = whole.Prompt(11, 500);
  const ShapeCase shape{"exact_repeat", 0, prompt, prompt, 500, 32, {}};
  const ArmAnswers answers = whole.runner->Run(shape).value();
  const Answer& fresh = answers.fresh;
  const auto control = PromptControl(*whole.runner, 512, shape, answers);
  ASSERT_TRUE(control && !control->deltas.empty());
  const double noise = *std::max_element(control->deltas.begin(), control->deltas.end());
  ASSERT_TRUE(quantised.runner->Prime(prompt));
  const Answer cached = quantised.runner->Ask(prompt, true, 32).value();
  EXPECT_EQ(cached.output.cached_tokens, 499);
  const Answer own = quantised.runner->Ask(prompt, false, 32).value();
  EXPECT_TRUE(Classify(Against(cached, own, 0)).bit_equal) << "the same cache type in both arms";
  EXPECT_GT(noise, 0);
  EXPECT_EQ(Judged("q8_0 cache against f16, -fa on", cached, fresh, noise).cls, Class::kCorruption);
}

}  // namespace
}  // namespace helix::equivalence
