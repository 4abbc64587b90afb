// write_golden TESTDATA [DOCUMENT]: writes golden_good.json, golden_bad.json, bluffs/rows/ (for every check
// of the catalogue a file with the change to the good report, as a JSON patch, and the codes that it must
// raise), bluffs/boundaries/ (for every threshold the reports on both sides of it, as patches) and the table
// of checks into the document. All numbers are synthetic.
#include <cstdio>

#include "core/analysis/analyze.h"
#include "core/analysis/checks/catalogue_table.h"
#include "core/analysis/golden/boundaries.h"
#include "core/analysis/golden/golden.h"
#include "core/base/file.h"

namespace {

using namespace helix;
using namespace helix::analysis;

bool WriteTable(const std::string& path) {
  auto text = ReadFile(path);
  if (!text) return false;
  auto begin = text->find(kTableBegin);
  auto end = text->find(kTableEnd);
  if (begin == std::string::npos || end == std::string::npos) return false;
  begin += std::string(kTableBegin).size();
  return WriteFileAtomic(path, text->substr(0, begin) + "\n" + CatalogueTable() + "\n" + text->substr(end),
                         0644)
      .has_value();
}

bool WriteJson(const std::string& path, const Json& value) {
  return WriteFileAtomic(path, DumpJson(value) + "\n", 0644).has_value();
}

bool WriteRows(const std::string& folder, const Json& good) {
  bool written = true;
  for (const auto& recipe : Recipes()) {
    Json fixture{{"row", recipe.row},
                 {"code", recipe.code},
                 {"codes", ExpectedCodes(recipe)},
                 {"base", "golden_good.json"},
                 {"patch", Json::diff(good, GoldenBad(recipe))}};
    written =
        WriteJson(folder + "/bluffs/rows/" + recipe.row + "-" + recipe.name + ".json", fixture) && written;
  }
  return written;
}

Json Side(const Boundary& boundary, double value, const Json& good) {
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  Json report = BoundaryReport(boundary, value);
  return {{"value", value}, {"codes", Analyze(report, options).Codes()}, {"patch", Json::diff(good, report)}};
}

bool WriteBoundaries(const std::string& folder, const Json& good) {
  bool written = true;
  for (const auto& boundary : Boundaries()) {
    Json fixture{{"row", boundary.row},
                 {"code", boundary.code},
                 {"base", "golden_good.json"},
                 {"inside", Side(boundary, boundary.inside, good)},
                 {"beyond", Side(boundary, boundary.beyond, good)}};
    written =
        WriteJson(folder + "/bluffs/boundaries/" + boundary.row + "-" + boundary.name + ".json", fixture) &&
        written;
  }
  return written;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: write_golden TESTDATA [DOCUMENT]\n");
    return 2;
  }
  std::string folder = argv[1];
  Json good = GoldenReport();
  bool written = WriteRows(folder, good) && WriteBoundaries(folder, good);
  written = written &&
            WriteFileAtomic(folder + "/golden_good.json", DumpJson(good) + "\n", 0644).has_value() &&
            WriteFileAtomic(folder + "/golden_bad.json", DumpJson(GoldenBad(Recipes().front())) + "\n", 0644)
                .has_value();
  if (written && argc == 3) written = WriteTable(argv[2]);
  if (!written) std::fprintf(stderr, "cannot write below %s\n", folder.c_str());
  return written ? 0 : 1;
}
