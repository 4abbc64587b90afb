// What must not change when a report is changed in a way that does not matter, and what must never get
// better.
#include <gtest/gtest.h>

#include <algorithm>

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
  Json report = GoldenReport();
  for (auto& s : report["samples"])
    s["client"]["t_send_ns"] = s["client"]["t_send_ns"].get<std::int64_t>() + 86'400'000'000'000;
  EXPECT_TRUE(Analyze(report, Quick()).Codes().empty());
}

TEST(Metamorphic, SwappedArmsGiveTheReciprocalRatio) {
  Json report = GoldenReport();
  double before = Analyze(report, Quick()).statistics.ttft->ratio.value;
  for (auto& s : report["samples"]) s["arm"] = s["arm"] == "on" ? "off" : "on";
  EXPECT_NEAR(Analyze(report, Quick()).statistics.ttft->ratio.value * before, 1, 1e-9);
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

// Fields that only some reports carry. What they prove is lost with them: a plain report is sound without
// them.
bool IsOptionalEvidence(const std::string& p) {
  static const std::vector<std::string> kOptional = {
      "salt_differs",     "weights_sha256", "flags",
      "transport",        "resp_model",     "client_prompt_tokens",
      "reasoning_tokens", "clock_id",       "tokens_in_first_event",
      "digest_",          "hit_rate",       "sessions",
      "history",          "saved_usd",      "tokens_per_s_prefill",
      "ms_per_token",     "/evidence",      "workload_id",
      "response_id",      "normalised",     "compared_prefix",
      "match_rate",       "run_id"};
  return std::any_of(kOptional.begin(), kOptional.end(),
                     [&](const std::string& name) { return p.find(name) != std::string::npos; });
}

TEST(DeletingEvidence, NeverMakesAPassOfAFailure) {
  std::size_t tried = 0;
  for (const auto& recipe : Recipes()) {
    Json bad = GoldenBad(recipe);
    if (Analyze(bad, Quick()).verdict == Verdict::kPass) continue;  // a warning
    std::vector<std::string> paths;
    for (auto it = bad.begin(); it != bad.end(); ++it) Paths(*it, "/" + it.key(), paths);
    SplitMix64 random(17);
    random.Shuffle(paths);
    paths.resize(std::min<std::size_t>(paths.size(), 12));
    for (const auto& path : paths) {
      if (IsOptionalEvidence(path)) continue;
      Json less = bad;
      Remove(less, path);
      ++tried;
      EXPECT_NE(Analyze(less, Quick()).verdict, Verdict::kPass) << recipe.name << " without " << path;
    }
  }
  EXPECT_GT(tried, 500u);
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
