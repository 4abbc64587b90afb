// One check of the catalogue: a pure function from a report to findings.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/finding.h"
#include "core/analysis/report_view.h"
#include "core/analysis/statistics.h"

namespace helix::analysis {

struct CheckInput {
  const ReportView& report;
  const Statistics& statistics;
  std::string metric;     // "ttft", "total" or "prefill"
  double cold_allow = 0;  // tokens that may be cached in a cold arm: backend.cold_allow, else 0
};

// What PASS makes of a check whose field is not there. This is the whole list of what may be missing.
enum class Absence {
  kBlocksPass,  // PASS cannot be reached
  kDeclarable,  // facts that some set-ups cannot know (the machine's peak rates, the model's size): PASS only
                // when plan.may_be_missing, hashed before the first sample, names the row
  kWithoutEquality,  // as kDeclarable, and only while the report claims no equality of answers
  kMayBeMissing,     // fields and claims that a complete report need not carry
};

struct Check;

// Where a check puts what it found. At most a handful of findings per check are kept: a thousand rows with
// one fault are one message.
class Reporter {
 public:
  Reporter(const Check& check, std::vector<Finding>& findings, CheckAnswer& answer)
      : check_(check), findings_(findings), answer_(answer) {}

  void Find(std::string where, std::string seen, std::string expected, std::string to_do);
  void FindAs(Severity severity, std::string where, std::string seen, std::string expected,
              std::string to_do);
  // Nothing could be checked because `field` is not in the report. A finding of the same check wins over it.
  void Missing(std::string field);

 private:
  const Check& check_;
  std::vector<Finding>& findings_;
  CheckAnswer& answer_;
  int kept_ = 0;
};

struct Check {
  const char* row;   // "A03"
  const char* code;  // "cold_arm_warm"
  Severity severity;
  Absence absence;
  const char* meaning;  // one line, for the table in docs/measurement.md
  void (*run)(const CheckInput&, Reporter&);
};

// Every check, in the catalogue's order. The same row can appear with two codes.
const std::vector<Check>& Catalogue();

// One per group, in the files of this folder.
std::vector<Check> ArmChecks();
std::vector<Check> WorkChecks();
std::vector<Check> ClockChecks();
std::vector<Check> StatisticsChecks();
std::vector<Check> EquivalenceChecks();
std::vector<Check> ProvenanceChecks();

// Shortest text of a number, for messages.
std::string Text(double number);

}  // namespace helix::analysis
