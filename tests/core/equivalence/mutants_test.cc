// Fifty seeds of a toy model: every way of breaking its cache must come out as CORRUPTION, every legitimate
// difference must not. Prints the table that docs/equivalence.md shows.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/equivalence/oracle_verdict.h"
#include "core/equivalence/thresholds.h"
#include "tests/fakes/toy_backend.h"

namespace helix::equivalence {
namespace {

using fakes::ToyBackend;
using fakes::ToyMutant;
using fakes::ToyOptions;

constexpr int kSeeds = 50;
constexpr int kOutput = 16;

struct Caught {
  int by_tokens = 0;
  int by_logprobs = 0;
  int corruption = 0;
  int clean = 0;  // EXACT or NEAR_TIE
};

// The fresh arms and the control of one seed: no cache is involved, so all variants share them.
struct Baseline {
  std::vector<CaseResult> cases;
};

ToyOptions Options(std::uint64_t seed, bool shape_sensitive) {
  ToyOptions out;
  out.seed = seed;
  out.shape.shape_sensitive = out.cached_shape.shape_sensitive = shape_sensitive;
  return out;
}

std::vector<ShapeCase> Shapes(PromptSource& source) {
  return {PrefixExtension(source, 24, 8, kOutput), ExactRepeat(source, 25, kOutput),
          PartialOverlap(source, 26, 8, kOutput)};
}

// A prompt that differs from what the cache holds in one token inside the prefix: only this shape meets M2.
ShapeCase OneTokenChanged(PromptSource& source) {
  ShapeCase out = PrefixExtension(source, 24, 8, kOutput);
  out.prime[12] = (out.prime[12] + 1) % fakes::kToyVocabulary;
  out.shared = 12;
  return out;
}

Baseline Fresh(std::uint64_t seed, bool shape_sensitive) {
  const RunContext context;
  ToyBackend backend(Options(seed, shape_sensitive));
  ToyOptions other = Options(seed, shape_sensitive);
  other.shape.ubatch = 7;
  ToyBackend control(other);
  ArmRunner runner(backend, {}, context);
  auto source = PromptSource::Make(backend, seed, 400, context).value();
  std::vector<ShapeCase> shapes = Shapes(source);
  shapes.push_back(OneTokenChanged(source));
  Baseline out;
  for (ShapeCase& shape : shapes) {
    CaseResult one;
    one.answers.fresh = runner.Ask(shape.prompt, false, kOutput).value();
    one.answers.fresh_again = runner.Ask(shape.prompt, false, kOutput).value();
    const Answer other_shape = runner.AskOn(control, shape.prompt, kOutput).value();
    one.control.method = "second_server";
    one.control.deltas = ComparableDeltas(other_shape.output, one.answers.fresh.output);
    one.shape = std::move(shape);
    out.cases.push_back(std::move(one));
  }
  return out;
}

OracleResult RunCached(const Baseline& baseline, const ToyOptions& options) {
  const RunContext context;
  ToyBackend backend(options);
  ArmRunner runner(backend, {}, context);
  OracleResult result;
  result.cases = baseline.cases;
  for (CaseResult& one : result.cases) {
    EXPECT_TRUE(runner.Prime(one.shape.prime));
    one.answers.cached = runner.Ask(one.shape.prompt, true, kOutput).value();
  }
  Decide(result, {}, {});
  return result;
}

void Count(const OracleResult& result, Caught& caught) {
  caught.by_tokens += CountMismatches(result).mismatches > 0 ? 1 : 0;
  caught.by_logprobs += result.d_cf->max > Tolerance(result.noise) ? 1 : 0;
  caught.corruption += result.cls == Class::kCorruption ? 1 : 0;
  caught.clean += result.cls == Class::kExact || result.cls == Class::kNearTie ? 1 : 0;
}

void Print(const char* name, const Caught& caught) {
  std::printf("| %-34s | %2d/%d | %2d/%d | %2d/%d |\n", name, caught.by_tokens, kSeeds, caught.by_logprobs,
              kSeeds, caught.corruption, kSeeds);
}

void ExpectAllMutantsCaughtAndNoBenignVariant(bool shape_sensitive) {
  std::vector<Caught> mutants(fakes::AllToyMutants().size());
  Caught reuse;
  Caught ubatch;
  Caught restart;
  Caught threads;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const Baseline baseline = Fresh(seed, shape_sensitive);
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      ToyOptions options = Options(seed, shape_sensitive);
      options.mutant = fakes::AllToyMutants()[i];
      Count(RunCached(baseline, options), mutants[i]);
    }
    ToyOptions options = Options(seed, shape_sensitive);
    Count(RunCached(baseline, options), reuse);
    options.restart_before_reuse = true;
    Count(RunCached(baseline, options), restart);
    options = Options(seed, shape_sensitive);
    options.cached_shape.ubatch = 5;
    Count(RunCached(baseline, options), ubatch);
    options = Options(seed, shape_sensitive);
    options.cached_shape.threads = 3;
    Count(RunCached(baseline, options), threads);
  }
  std::printf("%s\n| injected | tokens | log-probabilities | CORRUPTION |\n|---|---|---|---|\n",
              shape_sensitive ? "sums depend on the batch shape" : "exact to the bit");
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    Print(fakes::ToyMutantName(fakes::AllToyMutants()[i]), mutants[i]);
    EXPECT_EQ(mutants[i].corruption, kSeeds) << fakes::ToyMutantName(fakes::AllToyMutants()[i]);
  }
  const std::pair<const char*, const Caught*> benign[] = {{"benign: reuse", &reuse},
                                                          {"benign: other micro-batch", &ubatch},
                                                          {"benign: restart and restore", &restart},
                                                          {"benign: other thread count", &threads}};
  for (const auto& [name, caught] : benign) {
    Print(name, *caught);
    EXPECT_EQ(caught->corruption, 0) << name;
    EXPECT_EQ(caught->clean, kSeeds) << name;
  }
}

TEST(EquivalenceMutants, AreCaughtAndBenignVariantsNotWhereEverythingIsExact) {
  ExpectAllMutantsCaughtAndNoBenignVariant(false);
}

TEST(EquivalenceMutants, AreCaughtAndBenignVariantsNotWhereSumsDependOnTheBatchShape) {
  ExpectAllMutantsCaughtAndNoBenignVariant(true);
}

}  // namespace
}  // namespace helix::equivalence
