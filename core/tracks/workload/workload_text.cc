#include <fmt/format.h>

#include "core/base/json_fields.h"
#include "core/tracks/workload/workload.h"

namespace helix::tracks {
namespace {

std::string Number(const Json& object, const std::string& path, const char* format = "{:.2f}") {
  const auto value = NumberAt(object, path);
  return value ? fmt::format(fmt::runtime(format), *value) : std::string("-");
}

std::string WholeOr(const Json& object, const std::string& path) {
  return Number(object, path, "{:.0f}");
}

std::string ShapesText(const Json& result) {
  std::string text;
  for (const Json& shape : result["shapes"]) {
    text +=
        fmt::format("  {:<15} {:>2} of {:>2} as predicted, reused {} of {} tokens\n",
                    StringAt(shape, "name").value_or(""), WholeOr(shape, "matching"), WholeOr(shape, "count"),
                    WholeOr(shape, "reused_tokens"), WholeOr(shape, "prompt_tokens"));
    for (const Json& row : shape["requests"])
      if (StringAt(row, "verdict") != "MATCH")
        text += fmt::format("    {}: {} tokens, predicted {}, reported {}: {}\n",
                            StringAt(row, "note").value_or(""), WholeOr(row, "prompt"),
                            DumpJson(row["predicted"]), DumpJson(row["reported"]),
                            StringAt(row, "verdict").value_or(""));
  }
  return text;
}

std::string SweepText(const Json& result) {
  std::string text =
      "  tokens    new  cold ms  warm ms  prefill ratio [95 %]       bound  saved of bound  end to end  "
      "model\n";
  for (const Json& cell : result["cells"])
    text += fmt::format("  {:>6} {:>6} {:>8} {:>8}  {:>6} [{}, {}]  {:>8} {:>10}  {:>10}  {:>8}\n",
                        WholeOr(cell, "n"), WholeOr(cell, "u"), Number(cell, "off_prefill_ms"),
                        Number(cell, "on_prefill_ms"), Number(cell, "prefill_ratio/value"),
                        Number(cell, "prefill_ratio/ci_low"), Number(cell, "prefill_ratio/ci_high"),
                        Number(cell, "skip_bound"), Number(cell, "fraction_of_bound/value", "{:.3f}"),
                        Number(cell, "end_to_end_ratio/value"), Number(cell, "model_ratio"));
  text +=
      fmt::format("  fit: ms = {} + {} u + {} u (n - (u - 1) / 2), largest residual {}\n",
                  Number(result, "cost_model/a_ms", "{:.3f}"), Number(result, "cost_model/b_ms_per_token", "{:.5f}"),
                  Number(result, "cost_model/gamma_ms_per_pair", "{:.3e}"),
                  Number(result, "cost_model/max_relative_residual", "{:.3f}"));
  return text;
}

std::string ReplayText(const Json& result) {
  std::string text = "  exchange  prompt  expected  reported  cold ms  warm ms  prefill ratio\n";
  for (const Json& turn : result["turns"])
    text += fmt::format("  {:>8} {:>7} {:>9} {:>9} {:>8} {:>8}  {:>6}  {}\n", WholeOr(turn, "exchange"),
                        WholeOr(turn, "prompt"), DumpJson(turn["expected"]), DumpJson(turn["reported"]),
                        Number(turn, "off_prefill_ms"), Number(turn, "on_prefill_ms"),
                        Number(turn, "prefill_ratio/value"), StringAt(turn, "verdict").value_or(""));
  text += fmt::format(
      "  whole loop: {} ms without and {} ms with the cache, {} times [{}, {}]; prefill {} times\n",
      Number(result, "loop/off_total_ms"), Number(result, "loop/on_total_ms"),
      Number(result, "loop/end_to_end_ratio/value"), Number(result, "loop/end_to_end_ratio/ci_low"),
      Number(result, "loop/end_to_end_ratio/ci_high"), Number(result, "loop/prefill_ratio/value"));
  for (const Json& note : result["notes"]) text += "  note: " + note.get<std::string>() + "\n";
  return text;
}

}  // namespace

std::string WorkloadText(const Json& result) {
  std::string text;
  if (auto notice = StringAt(result, "notice")) text += *notice + "\n";
  text += StringAt(result, "verdict").value_or("") + ": " + StringAt(result, "reason").value_or("") + "\n";
  text += "  model: " + StringAt(result, "model").value_or("") + "\n";
  if (Find(result, "shapes")) text += ShapesText(result);
  if (Find(result, "cells")) text += SweepText(result);
  if (Find(result, "turns")) text += ReplayText(result);
  if (auto path = StringAt(result, "report_path")) text += "  report: " + *path + "\n";
  return text;
}

}  // namespace helix::tracks
