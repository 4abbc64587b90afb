#include "core/analysis/checks/check.h"
#include "core/evidence/canonical_json.h"

namespace helix::analysis {
namespace {

constexpr int kKeptPerCheck = 3;

}  // namespace

void Reporter::Find(std::string where, std::string seen, std::string expected, std::string to_do) {
  FindAs(check_.severity, std::move(where), std::move(seen), std::move(expected), std::move(to_do));
}

void Reporter::FindAs(Severity severity, std::string where, std::string seen, std::string expected,
                      std::string to_do) {
  answer_.state = CheckAnswer::State::kFinding;
  if (++kept_ > kKeptPerCheck) return;
  findings_.push_back(
      {check_.code, severity, std::move(where), std::move(seen), std::move(expected), std::move(to_do)});
}

void Reporter::Missing(std::string field) {
  if (answer_.state == CheckAnswer::State::kFinding) return;
  answer_.state = CheckAnswer::State::kNotCheckable;
  answer_.missing = std::move(field);
}

std::string Text(double number) {
  return evidence::CanonicalNumber(number);
}

const std::vector<Check>& Catalogue() {
  static const std::vector<Check> all = [] {
    std::vector<Check> out;
    for (auto group :
         {&ArmChecks, &WorkChecks, &ClockChecks, &StatisticsChecks, &EquivalenceChecks, &ProvenanceChecks}) {
      for (auto& check : group()) out.push_back(check);
    }
    return out;
  }();
  return all;
}

}  // namespace helix::analysis
