#include "core/analysis/checks/claims.h"

#include <algorithm>

#include "core/analysis/checks/each.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

struct SpeedupField {
  const char* metric;
  const char* name;
};
constexpr SpeedupField kSpeedups[] = {
    {"ttft", "speedup_ttft"}, {"total", "speedup_total"}, {"prefill", "speedup_prefill"}};

// The metric's own field first.
const SpeedupField* ClaimedField(const CheckInput& in) {
  for (bool own : {true, false}) {
    for (const auto& field : kSpeedups) {
      if ((in.metric == field.metric) == own && NumberAt(in.report.Claim(), field.name)) return &field;
    }
  }
  return nullptr;
}

std::optional<double> Nanoseconds(const std::optional<double>& ms) {
  return ms ? std::optional<double>(*ms * 1e6) : std::nullopt;
}

std::vector<double> TimesOf(const CheckInput& in, const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  for (std::size_t i : rows) {
    double t = TimeOf(in, in.report.at(i));
    if (in.report.at(i).ok() && Has(t)) out.push_back(t);
  }
  return out;
}

using Named = std::pair<const char*, double>;

std::vector<Named> SummaryOf(const std::vector<double>& x) {
  if (x.empty()) return {};
  return {{"min", *std::min_element(x.begin(), x.end())},
          {"p50", *Median(x)},
          {"mean", Mean(x)},
          {"p95", *QuantileNearestRank(x, 950)},
          {"p95", *QuantileType7(x, 0.95)},
          {"p99", *QuantileType7(x, 0.99)},
          {"max", *std::max_element(x.begin(), x.end())}};
}

// What a seed or the number of replicates decides: verify_report repeats it, with the report's own seed.
bool IsRandom(std::string_view path) {
  for (const char* name :
       {"ratio_of_medians/ci_", "p_sign_flip", "change_point_p", "bootstrap_seed", "estimators_disagree"}) {
    if (path.find(name) != std::string_view::npos) return true;
  }
  return false;
}

void AddNumbers(const Json& stated, const Json& recomputed, const std::string& path,
                std::vector<StatedNumber>& out) {
  for (auto it = stated.begin(); it != stated.end(); ++it) {
    std::string at = path + "/" + it.key();
    const Json* now = Find(recomputed, it.key());
    if (it->is_object()) {
      AddNumbers(*it, now == nullptr ? Json() : *now, at, out);
    } else if (it->is_number() && !IsRandom(at)) {
      auto value =
          now != nullptr && now->is_number() ? std::optional<double>(now->get<double>()) : std::nullopt;
      out.push_back({at, it->get<double>(), value, now != nullptr});
    }
  }
}

void AddStatistics(const CheckInput& in, std::vector<StatedNumber>& out) {
  const Json& stated = in.report.Part("statistics");
  if (stated.is_object()) AddNumbers(stated, in.statistics.ToJson(), "/statistics", out);
}
}  // namespace

double TimeOf(const CheckInput& in, const SampleView& s) {
  const SpeedupField* field = ClaimedField(in);
  std::string metric = field == nullptr ? in.metric : field->metric;
  if (metric == "total") return s.total_ns;
  if (metric == "prefill") return s.prompt_ms * 1e6;
  return s.ttft_ns;
}

std::optional<double> ClaimedSpeedup(const CheckInput& in) {
  const SpeedupField* field = ClaimedField(in);
  return field == nullptr ? std::nullopt : NumberAt(in.report.Claim(), field->name);
}

std::string ClaimPointer(const CheckInput& in) {
  const SpeedupField* field = ClaimedField(in);
  return field == nullptr ? "/claim" : std::string("/claim/") + field->name;
}

bool ClaimIsRecomputed(const CheckInput& in) {
  const SpeedupField* field = ClaimedField(in);
  if (field == nullptr) return false;
  const auto& r = in.statistics.ForMetric(field->metric);
  return r && Near(*ClaimedSpeedup(in), r->ratio.value, 1e-6);
}

bool ClaimsDifference(const CheckInput& in) {
  auto direction = StringAt(in.report.Claim(), "direction");
  return ClaimedSpeedup(in) && direction != "undecided" && direction != "no_practical_difference";
}

std::vector<double> RatiosOf(const CheckInput& in) {
  std::vector<double> out;
  const SpeedupField* field = ClaimedField(in);
  const auto& r = in.statistics.ForMetric(field == nullptr ? in.metric : field->metric);
  if (r) {
    out.push_back(r->ratio.value);
    if (r->geometric_mean) out.push_back(r->geometric_mean->value);
  }
  auto off = Median(TimesOf(in, in.report.off));
  auto on = Median(TimesOf(in, in.report.on));
  if (off && on && *on > 0) out.push_back(*off / *on);
  return out;
}

std::string MixtureOf(const CheckInput& in, double claim) {
  auto off = SummaryOf(TimesOf(in, in.report.off));
  auto on = SummaryOf(TimesOf(in, in.report.on));
  for (const auto& [a, x] : off) {
    for (const auto& [b, y] : on) {
      if (std::string_view(a) == b || y <= 0 || !Near(claim, x / y, 1e-6)) continue;
      return std::string(a) + "(off)/" + b + "(on)";
    }
  }
  return {};
}

std::vector<StatedNumber> StatedNumbers(const CheckInput& in) {
  std::vector<StatedNumber> out;
  const Json& claim = in.report.Claim();
  const Statistics& s = in.statistics;
  auto add = [&](const char* name, std::optional<double> recomputed) {
    if (auto stated = NumberAt(claim, name))
      out.push_back({std::string("/claim/") + name, *stated, recomputed});
  };
  for (const auto& field : kSpeedups) {
    const auto& r = s.ForMetric(field.metric);
    add(field.name, r ? std::optional<double>(r->ratio.value) : std::nullopt);
  }
  add("p50_off", Nanoseconds(s.off.ttft_ms_p50));
  add("p50_on", Nanoseconds(s.on.ttft_ms_p50));
  add("p95_off", Nanoseconds(s.off.ttft_ms_p95));
  add("p95_on", Nanoseconds(s.on.ttft_ms_p95));
  const auto& headline = s.ForMetric(in.metric);
  const Json* ci = Find(claim, "ci");
  if (ci != nullptr && ci->is_array() && ci->size() == 2 && headline && headline->ratio.has_interval) {
    if ((*ci)[0].is_number()) out.push_back({"/claim/ci/0", (*ci)[0].get<double>(), headline->ratio.ci_low});
    if ((*ci)[1].is_number()) out.push_back({"/claim/ci/1", (*ci)[1].get<double>(), headline->ratio.ci_high});
  }
  AddStatistics(in, out);
  return out;
}

}  // namespace helix::analysis
