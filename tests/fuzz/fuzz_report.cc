// Reports with two lies in different places, edited at one random place: analysis ends, and one edit cannot
// make a PASS of them. The bytes choose the lies and the edit; the rest of them is analysed as a file of its
// own.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analyze.h"
#include "core/analysis/golden/golden.h"
#include "core/base/json_fields.h"
#include "tests/fuzz/require.h"

namespace {

using namespace helix;
using namespace helix::analysis;

AnalyzeOptions Quick() {
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  return options;
}

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t Below(std::size_t n) {
    std::size_t value = 0;
    for (int i = 0; i < 2; ++i) value = value * 256 + (at_ < size_ ? data_[at_++] : 0);
    return n == 0 ? 0 : value % n;
  }
  std::string_view Rest() const { return {reinterpret_cast<const char*>(data_) + at_, size_ - at_}; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

// Lies that stand in one part of the report each, so that one edit cannot take back two of them.
const std::vector<const Recipe*>& LiesIn(char group) {
  static std::array<std::vector<const Recipe*>, 128> groups;
  auto& out = groups[static_cast<unsigned char>(group)];
  if (!out.empty()) return out;
  for (const auto& recipe : Recipes()) {
    if (recipe.row[0] == group && recipe.seal == kSealAll &&
        Analyze(GoldenBad(recipe), Quick()).verdict == Verdict::kFail)
      out.push_back(&recipe);
  }
  return out;
}

// Counters lie in the samples' server part, equivalence in its own: a lie of each.
Json TwoLies(Bytes& in) {
  static const std::vector<const char*> counters = {"on-arm-never-hit", "cold-arm-warm", "counter-identity",
                                                    "cached-gt-prompt", "over-reuse"};
  Json report = GoldenReport();
  const char* name = counters[in.Below(counters.size())];
  for (const Recipe* recipe : LiesIn('A')) {
    if (std::string_view(recipe->name) == name) recipe->change(report);
  }
  const auto& answers = LiesIn('E');
  answers[in.Below(answers.size())]->change(report);
  SealReport(report);
  return report;
}

Json* Walk(Json& report, Bytes& in) {
  Json* at = &report;
  // Never the root itself, nor a whole list of samples or the whole of a lie.
  for (std::size_t depth = 0; at->is_structured() && !at->empty(); ++depth) {
    if (depth >= 2 && in.Below(4) == 0) break;
    auto it = at->begin();
    std::size_t step = in.Below(at->size());
    for (std::size_t i = 0; i < step; ++i) ++it;
    at = &*it;
  }
  return at;
}

Json Value(Bytes& in) {
  switch (in.Below(10)) {
    case 0:
      return nullptr;
    case 1:
      return in.Below(2) == 1;
    case 2:
      return static_cast<std::int64_t>(in.Below(70'000)) - 1000;
    case 3:
      return 1e300;
    case 4:
      return "on";
    case 5:
      return "";
    case 6:
      return Json::array();
    case 7:
      return Json::object();
    case 8:
      return 0;
    default:
      return static_cast<double>(in.Below(70'000)) / 7;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  Json report = TwoLies(in);
  HELIX_REQUIRE(Analyze(report, Quick()).verdict == Verdict::kFail);
  *Walk(report, in) = Value(in);
  Analysis edited = Analyze(report, Quick());
  HELIX_REQUIRE(edited.verdict != Verdict::kPass);
  HELIX_REQUIRE(!DumpJson(edited.ToJson()).empty());
  Analysis any = AnalyzeBytes(in.Rest(), Quick());
  HELIX_REQUIRE(!DumpJson(any.ToJson()).empty());
  return 0;
}
