#include "core/analysis/golden/golden.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"
#include "core/analysis/report_view.h"
#include "core/analysis/statistics.h"
#include "core/base/random.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/merkle.h"

namespace helix::analysis {
namespace {

constexpr int kPrefix = 2048;
constexpr int kPrompt = 2176;
constexpr int kOutput = 32;

std::string Sha(const std::string& text) {
  return evidence::Sha256Hex(text);
}

class Maker {
 public:
  explicit Maker(const GoldenOptions& options) : o_(options), random_(options.seed) {}

  Json Make() {
    Json report{{"schema", "helix.report/1"}, {"plan", MakePlan()}};
    report["t_plan_ns"] = 999'000'000'000;
    report["wall_ns"] = 0;
    report["synthetic"] = false;
    report["verdict"] = "PASS";
    report["env"] = {{"rtt_floor_ns", 20000},
                     {"clock", {{"res_ns", 1}}},
                     {"hw", {{"peak_flops", 5e12}, {"mem_bw", 1e11}}}};
    report["backend"] = {{"kind", "llamacpp"},
                         {"block_size", 1},
                         {"cold_allow", 1},
                         {"model", {{"id", "golden-0.5b"}, {"n_params", 5e8}, {"active_bytes", 5e8}}}};
    AddSamples(report);
    AddEquivalence(report);
    report["claim"] = {{"metric", "ttft"},
                       {"kind", "measured"},
                       {"label", "measured"},
                       {"runs_executed", 1},
                       {"runs_reported", 1}};
    SealReport(report);
    return report;
  }

 private:
  Json MakePlan() {
    std::vector<int> off_first;
    for (int i = 0; i < o_.pairs; ++i) off_first.push_back(i % 2);
    random_.Shuffle(off_first);
    Json order = Json::array();
    for (int first : off_first) {
      order.push_back(first == 1 ? "off" : "on");
      order.push_back(first == 1 ? "on" : "off");
    }
    return {{"seed", o_.seed},
            {"order", order},
            {"sampler", {{"temperature", 0}}},
            {"concurrency", 1},
            {"n_pairs", o_.pairs}};
  }

  double Noise(double sigma) {
    double z = NormalQuantile(0.5 * (1 - 1e-12) * (2 * random_.Unit() - 1) + 0.5);
    double tail = random_.Unit() < o_.tail ? 1 + (o_.tail_factor - 1) * random_.Unit() : 1;
    return std::exp(sigma * z) * tail;
  }

  Json Sample(int seq, const std::string& arm, int pair, std::int64_t t_send) {
    bool on = arm == "on";
    double base = on ? (o_.ratio > 0 ? 880.0 / o_.ratio : 54.0) : 880.0;
    auto ttft = static_cast<std::int64_t>(base * Noise(o_.sigma) * 1e6);
    double predicted = 248 * Noise(std::min(o_.sigma, 0.02));
    double overhead = 1.2 + 0.3 * random_.Unit();
    auto total = ttft + static_cast<std::int64_t>((predicted + 0.4 + 0.2 * random_.Unit()) * 1e6);
    std::string id = std::to_string(o_.seed) + "/" + std::to_string(seq);
    int cached = on ? kPrefix : 0;
    double prompt_ms = std::round((static_cast<double>(ttft) / 1e6 - overhead) * 1000) / 1000;
    return {
        {"seq", seq},
        {"arm", arm},
        {"pair", pair},
        {"status", "ok"},
        {"env_id", "e1"},
        {"expected_cached", cached},
        {"lcp_prev", kPrefix},
        {"tokens_source", "server"},
        {"raw_sha256", Sha("reply " + id)},
        {"req", {{"prompt_sha256", Sha("prompt " + std::to_string(pair))}, {"params_sha256", Sha("greedy")}}},
        {"client",
         {{"t_send_ns", t_send},
          {"ttft_ns", ttft},
          {"total_ns", total},
          {"conn_reused", true},
          {"concurrency", 1},
          {"ttft_event", "first_token"}}},
        {"server",
         {{"prompt_tokens", kPrompt},
          {"cached_n", cached},
          {"processed_n", kPrompt - cached},
          {"prompt_ms", prompt_ms},
          {"predicted_ms", std::round(predicted * 1000) / 1000},
          {"boot_id", "b1"}}},
        {"out",
         {{"n", kOutput},
          {"finish", "length"},
          {"truncated", false},
          {"sha256", Sha("answer " + std::to_string(pair))}}}};
  }

  void AddSamples(Json& report) {
    report["samples"] = Json::array();
    std::int64_t t = 1'000'000'000'000;
    int seq = 0;
    for (const auto& arm : report["plan"]["order"]) {
      Json sample = Sample(seq, arm.get<std::string>(), seq / 2, t);
      t += sample["client"]["total_ns"].get<std::int64_t>() + 3'000'000 +
           static_cast<std::int64_t>(random_.Below(500'000));
      report["samples"].push_back(std::move(sample));
      ++seq;
    }
    report["wall_ns"] = t - 1'000'000'000'000 + 40'000'000;
  }

  void AddEquivalence(Json& report) {
    Json pairs = Json::array();
    for (int i = 0; i < 4; ++i) {
      Json tokens = Json::array();
      for (int k = 0; k < kOutput; ++k) tokens.push_back(random_.Below(32000));
      std::string id = std::to_string(o_.seed) + "/" + std::to_string(i);
      auto side = [&](const std::string& name, int cached) {
        return Json{{"raw_sha256", Sha(name + " " + id)},
                    {"request_id", name + std::to_string(i)},
                    {"cached_n", cached},
                    {"tokens", tokens}};
      };
      pairs.push_back({{"prompt_sha256", Sha("prompt " + std::to_string(i))},
                       {"cached", side("cached", kPrefix)},
                       {"fresh", side("fresh", 0)}});
    }
    report["equivalence"] = {{"claim", "token_identical"},
                             {"min_tokens", 16},
                             {"n_pairs", 4},
                             {"pairs", pairs},
                             {"negative_controls", {{{"kind", "flip_prefix_token"}, {"detected", true}}}}};
  }

  GoldenOptions o_;
  SplitMix64 random_;
};

void PutNs(Json& claim, const char* name, const std::optional<double>& ms) {
  claim.erase(name);
  if (ms) claim[name] = *ms * 1e6;
}

void SealClaim(Json& report) {
  Statistics s = StatisticsOf(ReadReport(report), {{42, 0}, 0});
  Json& claim = report["claim"];
  PutNs(claim, "p50_off", s.off.ttft_ms_p50);
  PutNs(claim, "p50_on", s.on.ttft_ms_p50);
  PutNs(claim, "p95_off", s.off.ttft_ms_p95);
  PutNs(claim, "p95_on", s.on.ttft_ms_p95);
  claim["p95_is_max"] = s.off.p95_is_max || s.on.p95_is_max;
  claim.erase("speedup_ttft");
  if (s.ttft) claim["speedup_ttft"] = s.ttft->ratio.value;
}

}  // namespace

void SealReport(Json& report, unsigned parts) {
  if ((parts & kClaim) != 0) SealClaim(report);
  if ((parts & kPlan) != 0) report["plan_sha256"] = Sha(evidence::CanonicalJson(report["plan"]));
  if ((parts & kTree) != 0) {
    evidence::Digest root{};
    evidence::MerkleRootOfHexDigests(LeavesInSeqOrder(ReadReport(report)), root);
    report["merkle_root"] = evidence::Hex(root);
  }
}

Json GoldenReport(const GoldenOptions& options) {
  return Maker(options).Make();
}

const std::vector<Recipe>& Recipes() {
  static const std::vector<Recipe> all = [] {
    std::vector<Recipe> out;
    for (auto group : {&ArmRecipes, &WorkRecipes, &ClockRecipes, &StatisticsRecipes, &EquivalenceRecipes,
                       &ProvenanceRecipes}) {
      for (auto& recipe : group()) out.push_back(recipe);
    }
    return out;
  }();
  return all;
}

std::vector<std::string> ExpectedCodes(const Recipe& recipe) {
  std::vector<std::string> codes(recipe.also.begin(), recipe.also.end());
  codes.emplace_back(recipe.code);
  std::sort(codes.begin(), codes.end());
  return codes;
}

Json GoldenBad(const Recipe& recipe) {
  Json report = GoldenReport();
  recipe.change(report);
  SealReport(report, recipe.seal);
  return report;
}

}  // namespace helix::analysis
