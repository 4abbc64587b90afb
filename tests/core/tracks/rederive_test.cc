// A verify that computes again: what a record says is held against the replies it was made from.
#include "core/tracks/verify/rederive.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/experiment/workload.h"
#include "core/tracks/equivalence_check.h"
#include "tests/fakes/toy_backend.h"
#include "tests/support/paths.h"

namespace helix::tracks {
namespace {

using fakes::ToyBackend;
using fakes::ToyOptions;

Settings Scratch() {
  Settings out;
  out.report_dir = testing_support::ScratchDir();
  return out;
}

// The toy behind llama-server's own form of a reply, so that what is kept can be read again.
class LlamaToy : public ToyBackend {
 public:
  using ToyBackend::ToyBackend;
  Result<backend::Identity> Identify(const RunContext& context) override {
    auto out = ToyBackend::Identify(context);
    if (out) out->kind = "llama-server";
    return out;
  }
  Result<backend::GenerateReply> Generate(const backend::GenerateRequest& request,
                                          const RunContext& context) override {
    auto reply = ToyBackend::Generate(request, context);
    if (!reply) return reply;
    Json positions = Json::array();
    for (const auto& position : reply->logprobs) {
      Json top = Json::array();
      for (const auto& one : position.top)
        top.push_back({{"id", one.id}, {"token", one.bytes}, {"logprob", one.logprob}});
      positions.push_back({{"id", position.id}, {"logprob", position.logprob}, {"top_logprobs", top}});
    }
    reply->response_body = DumpJson(
        {{"stop", true},
         {"stop_type", "limit"},
         {"content", reply->text},
         {"tokens", reply->tokens},
         {"tokens_predicted", reply->tokens.size()},
         {"tokens_evaluated", reply->prompt_tokens.value()},
         {"timings",
          {{"cache_n", reply->cached_tokens.value()}, {"prompt_n", reply->processed_tokens.value()}}},
         {"completion_probabilities", positions},
         {"serial", ++serial_}});
    return reply;
  }

 private:
  int serial_ = 0;
};

Result<Json> CheckLlamaToy(const ToyOptions& toy, const Settings& settings) {
  Target target;
  target.backend = std::make_unique<LlamaToy>(toy);
  target.identity = *target.backend->Identify({});
  EquivalenceCheckOptions options;
  options.prompts = 1;
  options.output_tokens = 16;
  return RunEquivalenceCheckOn(target, options, {}, settings, {});
}

const analysis::VerifyStep* FirstBroken(const Steps& steps) {
  for (const auto& step : steps) {
    if (!step.held) return &step;
  }
  return nullptr;
}

TEST(Rederive, ClassAndVerdictOfARecordFollowFromTheStoredReplies) {
  for (const auto mutant : {fakes::ToyMutant::kNone, fakes::ToyMutant::kCorruptedRow}) {
    ToyOptions toy;
    toy.mutant = mutant;
    const Settings settings = Scratch();
    const auto result = CheckLlamaToy(toy, settings);
    ASSERT_TRUE(result) << result.error().Text();
    EXPECT_EQ((*result)["class"], mutant == fakes::ToyMutant::kNone ? "EXACT" : "CORRUPTION");
    const auto whole = analysis::VerifyReport((*result)["report_path"], {{}, RederiveFromBytes});
    ASSERT_TRUE(whole);
    EXPECT_TRUE(whole->held()) << DumpPretty(whole->ToJson());
    const auto made =
        std::count_if(whole->steps.begin(), whole->steps.end(), [](const auto& s) { return s.made; });
    EXPECT_EQ(made, 8) << "five of bytes, then answers, classes, verdict";
  }
}

TEST(Rederive, ARecordThatSaysMoreThanItsRepliesIsFoundOut) {
  const Settings settings = Scratch();
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kCorruptedRow;
  const auto result = CheckLlamaToy(toy, settings);
  ASSERT_TRUE(result) << result.error().Text();
  const Json record = ReadJsonFile((*result)["report_path"]).value();
  auto store = evidence::RunStore::OpenReadOnly(settings.report_dir);
  ASSERT_TRUE(store);
  EXPECT_EQ(FirstBroken(RederiveFromBytes(record, store->objects())), nullptr);
  for (const auto& [pointer, value, step] :
       {std::tuple("/verdict", Json("PASS"), "verdict"), std::tuple("/class", Json("EXACT"), "verdict"),
        std::tuple("/cases/0/d_cf_max", Json(0), "classes"),
        std::tuple("/cases/0/cached/cached_tokens", Json(1), "answers"),
        std::tuple("/cases/1/fresh/tokens/3", Json(99), "answers")}) {
    Json lie = record;
    lie.at(Json::json_pointer(pointer)) = value;
    const Steps steps = RederiveFromBytes(lie, store->objects());
    const auto* broken = FirstBroken(steps);
    ASSERT_NE(broken, nullptr) << pointer;
    EXPECT_EQ(broken->name, step) << pointer << " " << broken->where;
  }
}

TEST(Rederive, TokensOfAnEqualityClaimMustBeThoseOfTheStoredReplies) {
  const Settings settings = Scratch();
  auto store = evidence::RunStore::Open(settings.report_dir);
  ASSERT_TRUE(store);
  const std::string raw =
      store->objects()
          .Put(R"({"stop":true,"stop_type":"limit","content":"ab","tokens":[7,8],"tokens_predicted":2})")
          .value();
  const Json answer{{"raw_sha256", raw}, {"tokens", {7, 8}}};
  const Json sample{
      {"status", "ok"},
      {"raw_sha256", raw},
      {"out", {{"sha256", evidence::Sha256Hex("ab")}, {"tokens_sha256", experiment::TokensSha256({7, 8})}}}};
  const Json report{{"schema", "helix.report/1"},
                    {"backend", {{"kind", "llama-server"}}},
                    {"samples", Json::array({sample})},
                    {"equivalence", {{"pairs", Json::array({{{"cached", answer}, {"fresh", answer}}})}}}};
  const Steps whole = RederiveFromBytes(report, store->objects());
  ASSERT_EQ(whole.size(), 2U);
  EXPECT_TRUE(whole[0].held && whole[0].made && whole[1].held && whole[1].made);
  for (const char* pointer : {"/samples/0/out/tokens_sha256", "/samples/0/out/sha256"}) {
    Json lie = report;
    lie.at(Json::json_pointer(pointer)) = evidence::Sha256Hex("another");
    const Steps steps = RederiveFromBytes(lie, store->objects());
    const auto* broken = FirstBroken(steps);
    ASSERT_NE(broken, nullptr) << pointer;
    EXPECT_EQ(broken->where, pointer);
  }
  Json lie = report;
  lie["equivalence"]["pairs"][0]["fresh"]["tokens"] = {7, 9};
  const Steps steps = RederiveFromBytes(lie, store->objects());
  ASSERT_NE(FirstBroken(steps), nullptr);
  EXPECT_EQ(FirstBroken(steps)->where, "/equivalence/pairs/0/fresh/tokens");
}

}  // namespace
}  // namespace helix::tracks
