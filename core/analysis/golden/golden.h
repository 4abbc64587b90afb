// Reports with known answers, made in memory: golden-good ones from a seed, and golden-bad ones by a named
// change to a good one. Every number in them is synthetic; they test the checks, never a server.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::analysis {

struct GoldenOptions {
  std::uint64_t seed = 1;
  int pairs = 20;
  double sigma = 0.03;  // of ln time
  double tail = 0;      // share of calls that are slower by up to `tail_factor`
  double tail_factor = 1.5;
  double ratio = 0;  // off/on of the TTFT; 0: what 2,048 of 2,176 reused tokens give (about 16)
};
// Consistent in every check, with verdict PASS.
Json GoldenReport(const GoldenOptions& options = {});

// What is computed anew after a change, so that the change is the only fault.
enum Seal : unsigned { kClaim = 1, kPlan = 2, kTree = 4, kSealAll = 7 };
void SealReport(Json& report, unsigned parts = kSealAll);

struct Recipe {
  const char* row;   // the check it is for
  const char* code;  // what it must raise
  const char* name;  // unique; also the file's name
  void (*change)(Json&);
  std::vector<const char*> also;  // other codes that the same lie cannot avoid
  unsigned seal = kSealAll;
};

// One at least for every check of the catalogue.
const std::vector<Recipe>& Recipes();
// The codes a recipe must raise, sorted.
std::vector<std::string> ExpectedCodes(const Recipe& recipe);
// The bad report.
Json GoldenBad(const Recipe& recipe);

std::vector<Recipe> ArmRecipes();
std::vector<Recipe> WorkRecipes();
std::vector<Recipe> ClockRecipes();
std::vector<Recipe> StatisticsRecipes();
std::vector<Recipe> EquivalenceRecipes();
std::vector<Recipe> ProvenanceRecipes();

}  // namespace helix::analysis
