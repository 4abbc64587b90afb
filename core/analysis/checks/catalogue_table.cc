#include "core/analysis/checks/catalogue_table.h"

#include "core/analysis/checks/check.h"

namespace helix::analysis {
namespace {

const char* AbsenceText(Absence absence) {
  switch (absence) {
    case Absence::kBlocksPass:
      return "blocks PASS";
    case Absence::kDeclarable:
      return "blocks PASS unless the plan declares it";
    case Absence::kWithoutEquality:
      return "blocks PASS unless the plan declares it and no equality is claimed";
    case Absence::kMayBeMissing:
      return "allowed";
  }
  return "blocks PASS";
}

}  // namespace

std::string CatalogueTable() {
  std::string out = "| row | code | severity | field missing | what it finds |\n|---|---|---|---|---|\n";
  for (const auto& check : Catalogue()) {
    out += std::string("| ") + check.row + " | `" + check.code + "` | " + SeverityName(check.severity) +
           " | " + AbsenceText(check.absence) + " | " + check.meaning + " |\n";
  }
  return out;
}

}  // namespace helix::analysis
