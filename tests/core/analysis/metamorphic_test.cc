// What must not change when a report is changed in a way that does not matter, and what must never get
// better.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/analysis/analyze.h"
#include "core/analysis/finish_report.h"
#include "core/analysis/golden/golden.h"
#include "core/base/random.h"

namespace helix::analysis {
namespace {

AnalyzeOptions Quick() {
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  return options;
}

void ScaleTimes(Json& report, int factor) {
  for (auto& s : report["samples"]) {
    for (const char* field : {"t_send_ns", "ttft_ns", "total_ns"})
      s["client"][field] = s["client"][field].get<std::int64_t>() * factor;
    for (const char* field : {"prompt_ms", "predicted_ms"})
      s["server"][field] = s["server"][field].get<double>() * factor;
  }
  report["wall_ns"] = report["wall_ns"].get<std::int64_t>() * factor;
  SealReport(report);
}

TEST(Metamorphic, TwiceAsSlowIsTheSameVerdict) {
  for (const auto& recipe : Recipes()) {
    std::string name = recipe.name;
    // These compare a time with something that is not a time of the report, or claim a rate.
    if (name == "nonpositive" || name == "duration-as-text" || name == "below-rtt-floor" ||
        name == "prefill-below-flop-floor" || name == "decode-below-bandwidth-floor" ||
        name == "transport-artefact" || name == "faster-than-skipping" || recipe.seal != kSealAll ||
        name == "plan-after-data" || name == "pass-without-samples" || name == "per-token-divided-by-total" ||
        name == "cached-counted-as-processed") {
      continue;
    }
    Json report = GoldenBad(recipe);
    auto before = Analyze(report, Quick());
    ScaleTimes(report, 2);
    EXPECT_EQ(Analyze(report, Quick()).Codes(), before.Codes()) << name;
  }
  Json good = GoldenReport();
  ScaleTimes(good, 2);
  EXPECT_EQ(Analyze(good, Quick()).verdict, Verdict::kPass);
}

TEST(Metamorphic, TheOrderOfRowsInTheFileDoesNotMatter) {
  SplitMix64 random(3);
  for (const auto& recipe : Recipes()) {
    Json report = GoldenBad(recipe);
    auto before = Analyze(report, Quick()).Codes();
    std::vector<Json> rows(report["samples"].begin(), report["samples"].end());
    random.Shuffle(rows);
    report["samples"] = rows;
    if (std::string(recipe.name) == "plan-changed") continue;
    EXPECT_EQ(Analyze(report, Quick()).Codes(), before) << recipe.name;
  }
}

TEST(Metamorphic, AShiftedClockChangesNothing) {
  for (const auto& recipe : Recipes()) {
    Json report = GoldenBad(recipe);
    auto before = Analyze(report, Quick());
    constexpr std::int64_t kDay = 86'400'000'000'000;
    for (auto& s : report["samples"]) {
      Json& sent = s["client"]["t_send_ns"];
      if (sent.is_number_integer()) sent = sent.get<std::int64_t>() + kDay;
    }
    if (report["t_plan_ns"].is_number_integer())
      report["t_plan_ns"] = report["t_plan_ns"].get<std::int64_t>() + kDay;
    auto after = Analyze(report, Quick());
    EXPECT_EQ(after.Codes(), before.Codes()) << recipe.name;
    EXPECT_EQ(after.verdict, before.verdict) << recipe.name;
  }
}

TEST(Metamorphic, SwappedArmsGiveTheReciprocalRatioAndTheMirroredInterval) {
  for (int pairs : {10, 13, 20, 50}) {
    Json report = GoldenReport({9, pairs, 0.05});
    RatioInterval before = Analyze(report, Quick()).statistics.ttft->ratio;
    for (auto& s : report["samples"]) s["arm"] = s["arm"] == "on" ? "off" : "on";
    RatioInterval after = Analyze(report, Quick()).statistics.ttft->ratio;
    EXPECT_NEAR(after.value * before.value, 1, 1e-9);
    EXPECT_NEAR(after.ci_low * before.ci_high, 1, 1e-9);
    EXPECT_NEAR(after.ci_high * before.ci_low, 1, 1e-9);
  }
}

// Paths of every value below `value`.
void Paths(const Json& value, const std::string& at, std::vector<std::string>& out) {
  if (!at.empty()) out.push_back(at);
  if (!value.is_structured()) return;
  std::size_t i = 0;
  for (auto it = value.begin(); it != value.end(); ++it, ++i) {
    if (value.is_array() && i >= 3) break;  // more entries of a list are more of the same
    Paths(*it, at + "/" + (value.is_object() ? it.key() : std::to_string(i)), out);
  }
}

void Remove(Json& report, const std::string& pointer) {
  auto slash = pointer.rfind('/');
  Json& parent = report[Json::json_pointer(pointer.substr(0, slash))];
  std::string key = pointer.substr(slash + 1);
  if (parent.is_array()) {
    parent.erase(static_cast<std::size_t>(std::stoul(key)));
  } else {
    parent.erase(key);
  }
}

void FieldNames(const Json& value, std::set<std::string>& out) {
  if (!value.is_structured()) return;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (value.is_object()) out.insert(it.key());
    FieldNames(*it, out);
  }
}

// A field that a complete report does not carry: what it proves is lost with it, because without it the
// report is as sound as one that never had it.
bool IsBeyondAComplete(const std::string& pointer) {
  static const std::set<std::string> complete = [] {
    std::set<std::string> out;
    FieldNames(GoldenReport(), out);
    return out;
  }();
  std::string part;
  for (std::size_t at = 1; at <= pointer.size(); ++at) {
    if (at == pointer.size() || pointer[at] == '/') {
      bool index = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
      if (!index && complete.count(part) == 0) return true;
      part.clear();
    } else {
      part.push_back(pointer[at]);
    }
  }
  return false;
}

TEST(DeletingEvidence, NeverRaisesAVerdict) {
  std::size_t tried = 0;
  for (const auto& recipe : Recipes()) {
    Json bad = GoldenBad(recipe);
    if (Analyze(bad, Quick()).verdict == Verdict::kPass) continue;  // a warning
    std::vector<std::string> paths;
    for (auto it = bad.begin(); it != bad.end(); ++it) Paths(*it, "/" + it.key(), paths);
    SplitMix64 random(tried + 17);
    random.Shuffle(paths);
    paths.resize(std::min<std::size_t>(paths.size(), 40));
    for (const auto& path : paths) {
      if (IsBeyondAComplete(path)) continue;
      Json less = bad;
      Remove(less, path);
      ++tried;
      EXPECT_NE(Analyze(less, Quick()).verdict, Verdict::kPass) << recipe.name << " without " << path;
    }
  }
  EXPECT_GT(tried, 3000u);
}

TEST(FinishReport, GivesTheSameAnalysisAgain) {
  Json record = GoldenReport();
  record.erase("claim");
  record.erase("verdict");
  record.erase("merkle_root");
  AnalyzeOptions options = Quick();
  Analysis made = FinishReport(record, options);
  EXPECT_EQ(made.verdict, Verdict::kPass) << made.reason << Json(made.Codes()).dump();
  Analysis again = Analyze(record, options);
  EXPECT_EQ(again.verdict, made.verdict);
  EXPECT_EQ(again.Codes(), made.Codes());
  EXPECT_EQ(record["verdict"], "PASS");
}

TEST(FinishReport, CallsANullResultUndecidedInsteadOfFailing) {
  Json record = GoldenReport({11, 20, 0.2, 0, 1.5, 1.0});
  for (auto& s : record["samples"]) {
    if (s["arm"] != "on") continue;
    s["expected_cached"] = 40;
    s["server"]["cached_n"] = 40;
    s["server"]["processed_n"] = 2136;
  }
  record.erase("claim");
  Analysis analysis = FinishReport(record, Quick());
  EXPECT_EQ(analysis.verdict, Verdict::kInconclusive) << Json(analysis.Codes()).dump();
  EXPECT_EQ(record["claim"]["direction"], "undecided");
}

}  // namespace
}  // namespace helix::analysis
