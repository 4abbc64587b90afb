#include "core/equivalence/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/equivalence/oracle_report.h"
#include "core/evidence/digest.h"
#include "tests/fakes/toy_backend.h"

namespace helix::equivalence {
namespace {

using fakes::ToyBackend;
using fakes::ToyMutant;
using fakes::ToyOptions;

OracleOptions Small() {
  OracleOptions out = QuickOptions();
  out.shapes.length = 48;
  out.shapes.output_tokens = 16;
  out.shapes.boundaries = {16};
  out.conversation.opening = 24;
  out.conversation.message = 8;
  out.conversation.output_tokens = 16;
  return out;
}

Result<OracleResult> Ask(const ToyOptions& toy, const OracleOptions& options = Small(),
                         const RunContext& context = {}) {
  ToyBackend backend(toy);
  const auto identity = backend.Identify(context);
  return RunOracle(backend, *identity, options, context);
}

bool Detected(const OracleResult& result, const std::string& kind) {
  return std::all_of(
      result.negative_controls.begin(), result.negative_controls.end(),
      [&](const NegativeControl& control) { return control.kind != kind || control.detected; });
}

TEST(Oracle, PassesAnExactCacheWithEveryControlDetected) {
  const auto result = Ask({});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(result->verdict, "PASS") << result->reason;
  EXPECT_EQ(result->cls, Class::kExact);
  EXPECT_EQ(result->negative_controls.size(), 4U);
  EXPECT_TRUE(result->noise_known);
  EXPECT_EQ(result->noise, 0);
  EXPECT_EQ(result->canary.status, CanaryStatus::kNotApplicable);
  EXPECT_FALSE(result->free_running_divergence);
}

TEST(Oracle, PassesACacheWhoseNumericsDependOnTheBatchShape) {
  ToyOptions toy;
  toy.shape.shape_sensitive = toy.cached_shape.shape_sensitive = true;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->verdict, "PASS") << result->reason;
  EXPECT_GT(result->noise, 0);
}

TEST(Oracle, MatchesTheControlServersLastChunkToTheCachedRequest) {
  ToyOptions toy;
  toy.shape.shape_sensitive = toy.cached_shape.shape_sensitive = true;
  std::unique_ptr<ToyBackend> other;
  OracleOptions options = Small();
  options.control_server = [&](std::int64_t ubatch, const RunContext&) -> Result<backend::Backend*> {
    ToyOptions shaped = toy;
    shaped.shape.ubatch = static_cast<int>(ubatch);
    other = std::make_unique<ToyBackend>(shaped);
    return other.get();
  };
  const auto result = Ask(toy, options);
  ASSERT_TRUE(result);
  for (const CaseResult& one : result->cases) {
    EXPECT_EQ(one.control.method, "second_server");
    EXPECT_TRUE(one.control.shape_matched) << one.shape.shape << one.shape.prompt.size();
    EXPECT_TRUE(one.shape.shape == "turn" || one.control.equals_cached == true) << one.shape.shape;
  }
}

TEST(Oracle, FailsEachMutantInAFullRun) {
  for (const ToyMutant mutant : fakes::AllToyMutants()) {
    if (mutant == ToyMutant::kStalePrefix)
      continue;  // its own test: the shapes never offer it a stale prefix
    ToyOptions toy;
    toy.mutant = mutant;
    const auto result = Ask(toy);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, "FAIL") << fakes::ToyMutantName(mutant) << result->reason;
    EXPECT_EQ(result->cls, Class::kCorruption);
  }
}

TEST(Oracle, NamesACarriedSamplerAsSuch) {
  ToyOptions toy;
  toy.mutant = ToyMutant::kCarriedSampler;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  EXPECT_NE(result->reason.find("sampler"), std::string::npos) << result->reason;
}

TEST(Oracle, DoesNotPassAServerThatReusesAStalePrefix) {
  ToyOptions toy;
  toy.mutant = ToyMutant::kStalePrefix;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  EXPECT_NE(result->verdict, "PASS");
  EXPECT_FALSE(Detected(*result, "prefix_token_flipped"));
}

TEST(Oracle, GivesNoVerdictWhereFreshDiffersFromFresh) {
  ToyOptions toy;
  toy.fresh_is_noisy = true;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cls, Class::kNondeterministicBaseline) << result->reason;
  EXPECT_EQ(result->verdict, "INCONCLUSIVE");
  ASSERT_TRUE(result->statistical);
  EXPECT_EQ(result->limits[0], "no comparison was made: nothing is supported");
  const Json json = ResultJson(*result, Small());
  EXPECT_EQ((DumpJson(json) + ResultText(json)).find("identical"), std::string::npos);
}

TEST(Oracle, AnswersWithTheFieldsOfTheContract) {
  ToyOptions toy;
  toy.mutant = ToyMutant::kWrongSlot;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  const Json json = ResultJson(*result, Small());
  EXPECT_EQ(json["class"], "CORRUPTION");
  EXPECT_EQ(json["diagnosis"], "DIVERGED_DEFECT");
  EXPECT_EQ(json["release_blocking"], true);
  EXPECT_EQ(json["classes"]["CORRUPTION"], json["compared"]);
  EXPECT_TRUE(json["first_divergence"].is_number_integer());
  EXPECT_EQ(json["divergence"]["fresh_top"].size(), 5U);
  for (const Json& control : json["negative_controls"]) EXPECT_TRUE(control["detected"].is_boolean());
  EXPECT_EQ(json["needle_canary"]["status"], "not_applicable");
  EXPECT_NE(ResultText(json).find("First divergence: token"), std::string::npos);
}

TEST(Oracle, GivesANearTieANoticeAndBlocksNoReleaseWithIt) {
  OracleResult result;
  result.cls = Class::kNearTie;
  const Json json = ResultJson(result, Small());
  EXPECT_EQ(json["release_blocking"], false);
  EXPECT_EQ(json["diagnosis"], "DIVERGED_NEAR_TIE");
  EXPECT_EQ(json["notices"].size(), 1U);
  EXPECT_NE(ResultText(json).find("Notice:"), std::string::npos);
}

TEST(Oracle, RecordsEveryCaseWithTheDigestsOfItsEvidence) {
  std::set<std::string> kept;
  OracleOptions options = Small();
  options.evidence = [&kept](const std::string& bytes) -> Result<std::string> {
    return *kept.insert(evidence::Sha256Hex(bytes)).first;
  };
  const auto result = Ask({}, options);
  ASSERT_TRUE(result);
  const Json record = RecordJson(*result, options, {});
  EXPECT_EQ(record["schema"], "helix.equivalence/1");
  ASSERT_EQ(record["cases"].size(), result->cases.size());
  for (const Json& one : record["cases"]) {
    for (const char* arm : {"cached", "fresh", "fresh_again"}) {
      EXPECT_TRUE(kept.contains(one[arm]["raw_sha256"].get<std::string>()));
      EXPECT_TRUE(kept.contains(one[arm]["raw_request_sha256"].get<std::string>()));
    }
  }
}

TEST(Oracle, CallsAServerWithoutTokenIdsUnknown) {
  ToyOptions toy;
  toy.no_token_ids = true;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cls, Class::kUnknown);
  EXPECT_EQ(result->verdict, "INCONCLUSIVE");
  ASSERT_TRUE(result->statistical) << "texts are compared by their frequencies";
  EXPECT_EQ(result->statistical->unproven, 0);
  for (const CaseResult& one : result->cases)
    EXPECT_EQ(one.finding.cls, Class::kUnknown) << one.finding.reason;
  EXPECT_TRUE(Detected(*result, "suffixes_swapped")) << "texts are compared where there are no ids";
}

TEST(Oracle, RefusesAServerThatReusesInTheFreshArm) {
  ToyOptions toy;
  toy.ignores_the_switch = true;
  const auto result = Ask(toy);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->verdict, "INCONCLUSIVE");
  EXPECT_FALSE(Detected(*result, "hit_counter"));
  EXPECT_EQ(result->cases[0].refused[0].code, "fresh_was_cached");
}

TEST(Oracle, GoesOnWithTheSameServerWhenTheControlServerDoesNotStart) {
  OracleOptions options = Small();
  options.control_server = [](std::int64_t, const RunContext&) -> Result<backend::Backend*> {
    return Fail(ErrorCode::kUnavailable, "no second server");
  };
  const auto result = Ask({}, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cases[0].control.method, "shape_matched_prompt");
  EXPECT_TRUE(std::any_of(result->limits.begin(), result->limits.end(), [](const std::string& limit) {
    return limit.find("no second server") != std::string::npos;
  }));
}

TEST(Oracle, SaysWhatAQuickRunCannotDetect) {
  const auto result = Ask({});
  ASSERT_TRUE(result);
  EXPECT_TRUE(std::any_of(result->limits.begin(), result->limits.end(),
                          [](const std::string& limit) { return limit.rfind("quick:", 0) == 0; }));
  EXPECT_EQ(result->limits[0].rfind("0 mismatches of 7", 0), 0U) << result->limits[0];
}

TEST(Oracle, LeavesOutBoundariesThatDoNotFitAndSaysSo) {
  OracleOptions options = Small();
  options.shapes.boundaries = {16, 512};
  options.shapes.longest = 200;
  const auto result = Ask({}, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(std::any_of(result->limits.begin(), result->limits.end(), [](const std::string& limit) {
    return limit.find("beside 512 do not fit") != std::string::npos;
  }));
}

TEST(Oracle, ReportsProgressAndStopsWhenCancelled) {
  std::stop_source stop;
  RunContext context;
  context.stop = stop.get_token();
  int steps = 0;
  context.progress = [&](const Progress& progress) {
    EXPECT_LE(progress.done, progress.total);
    if (++steps == 3) stop.request_stop();
  };
  const auto result = Ask({}, Small(), context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(steps, 3);
}

TEST(Oracle, KeepsTheRawBytesOfEveryAnswer) {
  std::vector<std::string> kept;
  OracleOptions options = Small();
  options.evidence = [&](const std::string& bytes) -> Result<std::string> {
    kept.push_back(bytes);
    return std::string("digest");
  };
  ASSERT_TRUE(Ask({}, options));
  EXPECT_GT(kept.size(), 50U);
  options.evidence = [](const std::string&) -> Result<std::string> {
    return Fail(ErrorCode::kIo, "disk full");
  };
  EXPECT_EQ(Ask({}, options).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace helix::equivalence
