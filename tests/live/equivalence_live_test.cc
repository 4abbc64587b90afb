// The equivalence oracle against a real llama-server running the demo model. What it says here is what
// docs/equivalence.md reports; the printed tables are where its numbers come from.
#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

#include "core/backend/llama_http.h"
#include "core/backend/llama_reply.h"
#include "core/backend/llama_request.h"
#include "core/backend/server_files.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/equivalence/control_servers.h"
#include "core/equivalence/oracle_report.h"

namespace helix::equivalence {
namespace {

using backend::LlamaServer;
using backend::ManagedLlamaServer;
using backend::ManagedServerFlags;

// A missing server fails here: a live test that skips itself proves nothing.
backend::ManagedServerOptions DemoOptions(ManagedServerFlags flags) {
  const EnvReader env = ProcessEnvironment();
  backend::ManagedServerOptions options;
  auto program = backend::FindLlamaServer(SettingsFromEnvironment(env), env);
  EXPECT_TRUE(program) << program.error().reason;
  auto model = backend::FindModel({}, env);
  EXPECT_TRUE(model) << model.error().reason;
  options.program = program.value_or("");
  options.model = model.value_or("");
  options.flags = std::move(flags);
  return options;
}

ManagedServerFlags Flash(const char* mode) {
  ManagedServerFlags flags;
  flags.flash_attention = mode;
  return flags;
}

// A running server, a client that has identified it, and a runner over it.
struct Live {
  explicit Live(ManagedServerFlags flags) : options(DemoOptions(std::move(flags))) {
    auto started = ManagedLlamaServer::Start(options, context);
    EXPECT_TRUE(started) << started.error().Text();
    server.emplace(std::move(*started));
    client.emplace(backend::LlamaServerOptions{server->base_url(), std::nullopt, server->boot_id()});
    auto found = client->Identify(context);
    EXPECT_TRUE(found) << found.error().Text();
    identity = *found;
    identity.synthetic_weights = server->synthetic_weights();
    runner.emplace(*client, ArmOptions{}, context);
  }
  Json Slot(const std::string& action, const std::string& file) {
    backend::LlamaHttp http(server->base_url(), std::nullopt);
    auto reply = http.PostJson("/slots/0?action=" + action, {{"filename", file}}, context);
    return reply ? *reply : Json{{"failed", reply.error().message}};
  }
  std::string SlotFile(const std::string& name) const { return server->slot_dir() + "/" + name; }

  RunContext context;
  backend::ManagedServerOptions options;
  std::optional<ManagedLlamaServer> server;
  std::optional<LlamaServer> client;
  backend::Identity identity;
  std::optional<ArmRunner> runner;
};

OracleOptions Options(Live& live, ControlServers& controls) {
  OracleOptions out = StandardOptions();
  out.shapes.prompts = 3;
  out.shapes.output_tokens = 32;
  out.shapes.boundaries = {16, 64, 512};
  out.conversation.output_tokens = 32;
  out.server_ubatch = 512;
  out.context_per_slot = out.shapes.longest = live.identity.context_per_slot;
  out.control_server = [&](std::int64_t ubatch, const RunContext& context) {
    return controls.WithUbatch(ubatch, context);
  };
  return out;
}

void Print(const Live& live, const OracleResult& result, const OracleOptions& options) {
  const Json json = ResultJson(result, options);
  std::printf("build %s\n%s", live.identity.build.c_str(), ResultText(json).c_str());
  for (const Json& line : json["cases"]) std::printf("  %s\n", DumpJson(line).c_str());
}

enum class Control { kSecondServer, kSameServer };

OracleResult RunLive(ManagedServerFlags flags, Control arm = Control::kSecondServer, std::uint64_t seed = 1) {
  Live live(std::move(flags));
  ControlServers controls(live.options);
  OracleOptions options = Options(live, controls);
  options.seed = seed;
  if (arm == Control::kSameServer) {
    options.control_server = nullptr;
    options.server_ubatch = 0;
  }
  auto result = RunOracle(*live.client, live.identity, options, live.context);
  EXPECT_TRUE(result) << result.error().Text();
  if (!result) return {};
  Print(live, *result, options);
  for (const NegativeControl& control : result->negative_controls) {
    EXPECT_TRUE(control.detected) << control.kind << ": " << control.detail;
  }
  EXPECT_EQ(result->canary.status, CanaryStatus::kNotApplicable);
  return *std::move(result);
}

TEST(EquivalenceLive, IsExactToTheBitWithoutFlashAttention) {
  const OracleResult result = RunLive(Flash("off"));
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_EQ(result.cls, Class::kExact);
  EXPECT_EQ(result.noise, 0);
  ASSERT_TRUE(result.d_cf);
  EXPECT_EQ(result.d_cf->max, 0);
}

TEST(EquivalenceLive, FindsTheNoiseOfFlashAttentionAndDoesNotCallItCorruption) {
  const OracleResult result = RunLive(Flash("on"));
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_TRUE(result.cls == Class::kExact || result.cls == Class::kNearTie);
  EXPECT_GT(result.noise, 0);
}

// An endpoint of the user's: its micro-batch is not known and no second server can be started.
TEST(EquivalenceLive, MeasuresTheNoiseOnTheSameServerWhereThereIsNoSecond) {
  const OracleResult result = RunLive(Flash("auto"), Control::kSameServer);
  EXPECT_EQ(result.verdict, "PASS") << result.reason;
  EXPECT_GT(result.noise, 0);
  for (const CaseResult& one : result.cases) EXPECT_EQ(one.control.method, "shape_matched_prompt");
}

TEST(EquivalenceLive, StopsWithinTwoSecondsOfBeingCancelled) {
  Live live(Flash("off"));
  ControlServers controls(live.options);
  std::stop_source stop;
  live.context.stop = stop.get_token();
  std::int64_t stopped_ns = 0;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    stopped_ns = SteadyNowNs();
    stop.request_stop();
  });
  const auto result = RunOracle(*live.client, live.identity, Options(live, controls), live.context);
  const std::int64_t ended_ns = SteadyNowNs();
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled) << result.error().Text();
  EXPECT_LT(ended_ns - stopped_ns, 2'000'000'000);
}

Comparison Against(const Answer& cached, const Answer& fresh, double noise) {
  Comparison in;
  in.cached = cached.output;
  in.fresh = fresh.output;
  in.fresh_again = fresh.output;
  in.control_noise = noise;
  return in;
}

// One prompt, its fresh answer, and the slot saved right after the prompt.
struct Saved {
  std::vector<TokenId> prompt;
  Answer fresh;
};

Saved SaveSlot(Live& live, const std::string& name) {
  Saved out;
  out.prompt = PromptSource::Make(*live.client, 7, 600, live.context).value().Prompt(500);
  out.fresh = live.runner->Ask(out.prompt, false, 16).value();
  EXPECT_TRUE(live.runner->Prime(out.prompt));
  EXPECT_EQ(live.Slot("save", name).value("n_saved", 0), 500);
  return out;
}

TEST(EquivalenceLive, CatchesOneByteFlippedInASavedSlot) {
  Live live(Flash("off"));
  const Saved saved = SaveSlot(live, "slot.bin");
  const std::string bytes = ReadFile(live.SlotFile("slot.bin")).value();

  EXPECT_TRUE(live.Slot("restore", "slot.bin").contains("n_restored"));
  const Answer whole = live.runner->Ask(saved.prompt, true, 16).value();
  EXPECT_EQ(whole.output.cached_tokens, 499);
  EXPECT_TRUE(Classify(Against(whole, saved.fresh, 0)).bit_equal);

  std::string flipped = bytes;
  flipped[flipped.size() / 2 | 1] ^= 0x08;
  ASSERT_TRUE(WriteFileAtomic(live.SlotFile("flipped.bin"), flipped));
  EXPECT_TRUE(live.Slot("restore", "flipped.bin").contains("n_restored")) << "restored without complaint";
  const Answer wrong = live.runner->Ask(saved.prompt, true, 16).value();
  const Finding finding = Classify(Against(wrong, saved.fresh, 0));
  std::printf("one byte flipped: %s, tokens %s, %s\n", ClassName(finding.cls),
              finding.divergence ? "differ" : "are the same", finding.reason.c_str());
  EXPECT_EQ(wrong.output.cached_tokens, 499);
  EXPECT_EQ(finding.cls, Class::kCorruption);
}

TEST(EquivalenceLive, SurvivesAServerThatDiesOfATornSlot) {
  Live live(Flash("off"));
  const Saved saved = SaveSlot(live, "slot.bin");
  std::string bytes = ReadFile(live.SlotFile("slot.bin")).value();
  bytes.pop_back();
  ASSERT_TRUE(WriteFileAtomic(live.SlotFile("torn.bin"), bytes));
  const Json restored = live.Slot("restore", "torn.bin");
  std::printf("restore of a file cut by one byte: %s\n", DumpJson(restored).c_str());
  EXPECT_FALSE(restored.contains("n_restored"));
  const auto after = live.runner->Ask(saved.prompt, true, 16);
  if (after) {
    // A build that refuses the file must compute the prompt, or reuse what is right.
    EXPECT_TRUE(Classify(Against(*after, saved.fresh, 0)).bit_equal);
    return;
  }
  std::printf("the server is gone: %s\n", after.error().Text().c_str());
  EXPECT_EQ(after.error().code, ErrorCode::kUnavailable) << after.error().Text();
  EXPECT_FALSE(live.server->LogTail().empty());
}

// llama-server's own body, with the field that forbids shifting left out.
Answer AskShifted(Live& live, const std::vector<TokenId>& prompt) {
  backend::GenerateRequest request;
  request.prompt = prompt;
  request.output_tokens = 16;
  request.top_logprobs = 5;
  Json body = backend::LlamaCompletionBody(request);
  body.erase("n_cache_reuse");
  backend::LlamaHttp http(live.server->base_url(), std::nullopt);
  backend::GenerateReply reply;
  auto answer = http.PostJson("/completion", body, live.context);
  EXPECT_TRUE(answer) << answer.error().Text();
  auto read = backend::ReadLlamaFinal(*answer, reply);
  EXPECT_TRUE(read) << read.error().Text();
  return {FromReply(reply), ""};
}

TEST(EquivalenceLive, CatchesAChunkThatCacheReuseShifted) {
  ManagedServerFlags flags = Flash("off");
  flags.extra = {"--cache-reuse", "256"};
  Live live(flags);
  auto source = PromptSource::Make(*live.client, 9, 2000, live.context).value();
  const auto a = source.Prompt(400);
  const auto b = source.Continuation(300);
  const auto c = source.Continuation(600);
  const auto d = source.Continuation(20);
  const auto joined = [](std::vector<TokenId> head, const std::vector<TokenId>& tail) {
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
  };
  ASSERT_TRUE(live.runner->Prime(joined(joined(a, b), c)));
  const auto prompt = joined(joined(a, c), d);
  const Answer shifted = AskShifted(live, prompt);
  const Answer fresh = live.runner->Ask(prompt, false, 16).value();
  const Finding finding = Classify(Against(shifted, fresh, 0));
  std::printf("shifted chunk: reused %lld of %zu tokens, %s, %s\n",
              static_cast<long long>(shifted.output.cached_tokens.value_or(-1)), prompt.size(),
              ClassName(finding.cls), finding.reason.c_str());
  EXPECT_GT(shifted.output.cached_tokens.value_or(0), 400) << "the chunk was not shifted: nothing is shown";
  EXPECT_EQ(finding.cls, Class::kCorruption);
}

TEST(EquivalenceLive, CatchesAQuantisedKeyCacheAgainstAWholeOne) {
  Live whole(Flash("off"));
  ManagedServerFlags flags = Flash("off");
  flags.cache_type_k = "q8_0";
  Live quantised(flags);
  const auto prompt = PromptSource::Make(*whole.client, 11, 600, whole.context).value().Prompt(500);
  const Answer fresh = whole.runner->Ask(prompt, false, 32).value();
  ASSERT_TRUE(quantised.runner->Prime(prompt));
  const Answer cached = quantised.runner->Ask(prompt, true, 32).value();
  const Finding finding = Classify(Against(cached, fresh, 0));
  std::printf("q8_0 keys against f16: %s, %s\n", ClassName(finding.cls), finding.reason.c_str());
  EXPECT_EQ(finding.cls, Class::kCorruption);
  const Answer own = quantised.runner->Ask(prompt, false, 32).value();
  EXPECT_TRUE(Classify(Against(cached, own, 0)).bit_equal) << "the same cache type in both arms";
}

}  // namespace
}  // namespace helix::equivalence
