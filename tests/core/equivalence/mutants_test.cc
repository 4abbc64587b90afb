// Fifty seeds of a toy model: every way of breaking its cache must come out as CORRUPTION, every legitimate
// difference must not. Prints the table and holds docs/equivalence.md to it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "core/base/file.h"
#include "core/equivalence/oracle_verdict.h"
#include "core/equivalence/thresholds.h"
#include "tests/fakes/toy_backend.h"
#include "tests/support/paths.h"

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

// Row by row, in the order in which they are printed.
using Table = std::vector<std::pair<std::string, Caught>>;

ToyOptions Benign(std::uint64_t seed, bool shape_sensitive, const std::string& name) {
  ToyOptions out = Options(seed, shape_sensitive);
  if (name == "benign: other micro-batch") out.cached_shape.ubatch = 5;
  if (name == "benign: restart and restore") out.restart_before_reuse = true;
  if (name == "benign: other thread count") out.cached_shape.threads = 3;
  return out;
}

Table Measure(bool shape_sensitive) {
  Table table;
  for (const ToyMutant mutant : fakes::AllToyMutants())
    table.emplace_back(fakes::ToyMutantName(mutant), Caught{});
  const std::size_t mutants = table.size();
  for (const char* name : {"benign: reuse", "benign: other micro-batch", "benign: restart and restore",
                           "benign: other thread count"}) {
    table.emplace_back(name, Caught{});
  }
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const Baseline baseline = Fresh(seed, shape_sensitive);
    for (std::size_t i = 0; i < table.size(); ++i) {
      ToyOptions options = Benign(seed, shape_sensitive, table[i].first);
      if (i < mutants) options.mutant = fakes::AllToyMutants()[i];
      Count(RunCached(baseline, options), table[i].second);
    }
  }
  return table;
}

void ExpectAllMutantsCaughtAndNoBenignVariant(const Table& table) {
  for (const auto& [name, caught] : table) {
    const bool benign = name.rfind("benign", 0) == 0;
    EXPECT_EQ(caught.corruption, benign ? 0 : kSeeds) << name;
    EXPECT_EQ(caught.clean, benign ? kSeeds : 0) << name;
  }
}

std::string Cells(const Caught& caught) {
  return fmt::format(" {}/{} | {}/{} | {}/{} |", caught.by_tokens, kSeeds, caught.by_logprobs, kSeeds,
                     caught.corruption, kSeeds);
}

std::string Markdown(const Table& exact, const Table& by_shape) {
  std::string out =
      "| injected | tokens | log-probabilities | CORRUPTION | tokens, sums by shape | log-probabilities | "
      "CORRUPTION |\n|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < exact.size(); ++i) {
    out += "| " + exact[i].first + " |" + Cells(exact[i].second) + Cells(by_shape[i].second) + "\n";
  }
  return out;
}

// The document's table is the printed one; HELIX_UPDATE_SNAPSHOTS=1 writes it.
void ExpectInTheDocument(const std::string& table) {
  const std::string path = testing_support::SourceDir() + "/docs/equivalence.md";
  const std::string begin = "<!-- mutants: begin, written by equivalence_mutants_test -->\n";
  std::string text = ReadFile(path).value();
  const auto from = text.find(begin);
  const auto to = text.find("<!-- mutants: end -->");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to);
  const auto start = from + begin.size();
  const char* update = std::getenv("HELIX_UPDATE_SNAPSHOTS");
  if (update != nullptr && std::string(update) == "1") {
    ASSERT_TRUE(WriteFileAtomic(path, text.substr(0, start) + table + text.substr(to), 0644));
    text = ReadFile(path).value();
  }
  EXPECT_EQ(text.substr(start, text.find("<!-- mutants: end -->") - start), table);
}

TEST(EquivalenceMutants, AreCaughtBenignVariantsAreNotAndTheDocumentSaysSo) {
  const Table exact = Measure(false);
  const Table by_shape = Measure(true);
  const std::string table = Markdown(exact, by_shape);
  std::printf("%s", table.c_str());
  ExpectAllMutantsCaughtAndNoBenignVariant(exact);
  ExpectAllMutantsCaughtAndNoBenignVariant(by_shape);
  ExpectInTheDocument(table);
}

}  // namespace
}  // namespace helix::equivalence
