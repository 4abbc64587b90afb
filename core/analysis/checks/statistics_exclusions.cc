// Group D, which calls were left out of the numbers, and by what right.
#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/analysis/checks/statistics_checks.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

namespace {

bool ValidExclusion(const CheckInput& in, const SampleView& s) {
  if (!Has(s.exclusion_rule) || s.exclusion_rule.empty()) return false;
  const Json* rules = Find(in.report.Plan(), "exclusion_rules");
  if (rules == nullptr || !rules->is_array()) return true;
  return std::any_of(rules->begin(), rules->end(), [&](const Json& r) {
    return r.is_string() && r.get_ref<const std::string&>() == s.exclusion_rule;
  });
}

// Warm-up pairs are fixed by the plan and come first: a row marked so afterwards is a row left out by its
// look.
void WarmupBeyondPlan(const CheckInput& in, Reporter& out) {
  double allowed = NumberAt(in.report.Plan(), "warmup_pairs").value_or(1);
  std::set<double> pairs;
  bool measured = false;
  for (std::size_t i : SeqOrder(in.report)) {
    const SampleView& s = in.report.at(i);
    if (s.arm != Arm::kOff && s.arm != Arm::kOn) continue;
    if (s.warmup != Flag::kTrue) {
      measured = true;
      continue;
    }
    if (Has(s.pair)) pairs.insert(s.pair);
    if (!measured && static_cast<double>(pairs.size()) <= allowed) continue;
    out.Find(s.Pointer("warmup"),
             measured ? "a warm-up after a measured call" : "more warm-up pairs than planned",
             "the first " + Text(allowed) + " pairs, as planned",
             "count every call that the plan does not call warm-up");
  }
}

// A pair whose calls both have their answers and times did finish, whatever its rows are called.
void FinishedButNotCounted(const CheckInput& in, Reporter& out) {
  std::set<double> off;
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    for (std::size_t i : *rows) {
      const SampleView& s = in.report.at(i);
      bool timed = s.ttft_ns > 0 && s.total_ns > 0 && s.out_n > 0 && Has(s.pair);
      bool skipped = s.status.substr(0, 4) == "skip" || s.status == "SKIP";  // skip_counted_as_pass says so
      if (s.ok() || s.status == "excluded" || skipped || !timed) continue;
      if (s.arm == Arm::kOff) off.insert(s.pair);
      if (s.arm == Arm::kOff || off.count(s.pair) == 0) continue;
      out.Find(s.Pointer("status"),
               std::string(s.status.substr(0, 40)) + " in both calls, with whole answers and their times",
               "ok for calls that finished", "leave pairs out by a rule of the plan alone");
    }
  }
}

}  // namespace

void UnruledExclusion(const CheckInput& in, Reporter& out) {
  WarmupBeyondPlan(in, out);
  FinishedButNotCounted(in, out);
  std::map<Arm, int> excluded;
  const SampleView* unruled = nullptr;
  for (const auto* rows : {&in.report.off, &in.report.on}) {
    for (std::size_t i : *rows) {
      const SampleView& s = in.report.at(i);
      if (s.status != "excluded") continue;
      ++excluded[s.arm];
      if (!ValidExclusion(in, s)) unruled = &s;
    }
  }
  if (unruled == nullptr && excluded[Arm::kOff] == excluded[Arm::kOn]) return;
  out.Find(unruled != nullptr ? unruled->Pointer("status") : "/samples",
           std::to_string(excluded[Arm::kOff]) + " off and " + std::to_string(excluded[Arm::kOn]) +
               " on calls excluded" + (unruled != nullptr ? ", one without a rule of the plan" : ""),
           "the same number in both arms, each by a rule of the plan",
           "exclude whole pairs by a rule that was written before the run");
}

}  // namespace helix::analysis::checks
