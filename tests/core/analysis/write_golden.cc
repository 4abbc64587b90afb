// write_golden TESTDATA [DOCUMENT]: writes golden_good.json, golden_bad.json and bluffs/rows.json (for every
// row of the catalogue the change to the good report, as a JSON patch, and the codes that it must raise), and
// the table of checks into the document. All numbers are synthetic.
#include <cstdio>

#include "core/analysis/checks/catalogue_table.h"
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: write_golden TESTDATA [DOCUMENT]\n");
    return 2;
  }
  std::string folder = argv[1];
  Json good = GoldenReport();
  Json rows = Json::object();
  for (const auto& recipe : Recipes()) {
    rows[recipe.name] = {{"row", recipe.row},
                         {"codes", ExpectedCodes(recipe)},
                         {"patch", Json::diff(good, GoldenBad(recipe))}};
  }
  bool written =
      WriteFileAtomic(folder + "/golden_good.json", DumpJson(good) + "\n", 0644).has_value() &&
      WriteFileAtomic(folder + "/golden_bad.json", DumpJson(GoldenBad(Recipes().front())) + "\n", 0644)
          .has_value() &&
      WriteFileAtomic(folder + "/bluffs/rows.json", DumpJson(rows) + "\n", 0644).has_value();
  if (written && argc == 3) written = WriteTable(argv[2]);
  if (!written) std::fprintf(stderr, "cannot write below %s\n", folder.c_str());
  return written ? 0 : 1;
}
