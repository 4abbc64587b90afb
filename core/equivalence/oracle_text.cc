#include <fmt/format.h>

#include "core/base/count_text.h"
#include "core/base/json_fields.h"
#include "core/equivalence/oracle_report.h"

namespace helix::equivalence {
namespace {

std::string Number(const Json& object, const char* path) {
  const auto value = NumberAt(object, path);
  return value ? fmt::format("{:.2e} nat", *value) : "not measured";
}

std::string Field(const Json& object, const char* path) {
  return StringAt(object, path).value_or("");
}

void AddClasses(const Json& result, std::string& out) {
  const Json* classes = Find(result, "classes");
  if (classes == nullptr || !classes->is_object()) return;
  out += "Cases:   ";
  for (const auto& [name, count] : classes->items()) out += fmt::format("{} {}  ", name, count.dump());
  out += "\n";
}

void AddNotices(const Json& result, std::string& out) {
  const Json* notices = Find(result, "notices");
  if (notices == nullptr || !notices->is_array()) return;
  for (const Json& notice : *notices) {
    if (notice.is_string()) out += "Notice:  " + notice.get<std::string>() + "\n";
  }
}

void AddControls(const Json& result, std::string& out) {
  const Json* controls = Find(result, "negative_controls");
  if (controls == nullptr) return;
  for (const Json& control : *controls) {
    out += fmt::format("Control: {} {} ({})\n", Field(control, "kind"),
                       BoolAt(control, "detected").value_or(false) ? "detected" : "NOT DETECTED",
                       Field(control, "detail"));
  }
}

void AddDivergence(const Json& result, std::string& out) {
  const Json* at = Find(result, "divergence");
  if (at == nullptr) return;
  out += fmt::format(
      "First divergence: token {} ({} of {} tokens), top-two gap {} cached, {} fresh, distance {}\n",
      CountText(*at, "index"), Field(*at, "shape"), CountText(*at, "prompt_tokens"),
      Number(*at, "gap_cached"), Number(*at, "gap_fresh"), Number(*at, "delta"));
}

}  // namespace

std::string ResultText(const Json& result) {
  const std::string verdict = Field(result, "verdict");
  if (verdict == "SKIP") {
    return fmt::format("SKIP: {}\nWould run if: {}\n", Field(result, "skip_reason"),
                       Field(result, "would_run_if"));
  }
  std::string out = fmt::format("{}: {}\n", verdict, Field(result, "reason"));
  if (Field(result, "weights") == "synthetic")
    out += "Weights: synthetic (random): this proves the server, no model\n";
  AddNotices(result, out);
  AddClasses(result, out);
  out += fmt::format("Numerics: {}\n", Field(result, "numerics"));
  out += fmt::format("Noise:   control {}, fresh against fresh {}; cached against fresh {} (largest)\n",
                     Number(result, "control/d_gf/max"), Number(result, "control/d_ff/max"),
                     Number(result, "d_cf/max"));
  if (const auto sentence = StringAt(result, "statistical/sentence")) out += "Repeats: " + *sentence + "\n";
  AddControls(result, out);
  AddDivergence(result, out);
  if (const Json* limits = Find(result, "limits"); limits != nullptr) {
    for (const Json& limit : *limits) {
      if (limit.is_string()) out += "Limit:   " + limit.get<std::string>() + "\n";
    }
  }
  if (const auto path = StringAt(result, "report_path")) out += "Report:  " + *path + "\n";
  return out;
}

}  // namespace helix::equivalence
