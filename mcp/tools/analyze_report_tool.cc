#include "mcp/tools/analyze_report_tool.h"

#include <cstdio>

#include "core/analysis/foreign_report.h"
#include "core/analysis/history.h"
#include "core/base/json_fields.h"
#include "mcp/tools/report_argument.h"

namespace helix::mcp {
namespace {

Result<Json> Handle(const Json& arguments, const Settings& settings, const RunContext&) {
  if (const Json* report = Find(arguments, "report"); report != nullptr) {
    return analysis::AnalyzeAnything(DumpJson(*report)).ToJson();
  }
  auto path = ReportPath(arguments, settings);
  if (!path) return tl::make_unexpected(path.error());
  auto judged = analysis::AnalyzeFile(*path);
  if (!judged) return tl::make_unexpected(judged.error());
  return judged->ToJson();
}

// The headline ratio with what the design could have seen at all.
std::string RatioLine(const Json& r) {
  const std::string metric = StringAt(r, "metric").value_or("ttft");
  const std::string at = "statistics/" + (metric == "total" ? "end_to_end" : metric) + "_ratio/";
  const auto value = NumberAt(r, at + "value");
  const auto low = NumberAt(r, at + "ci_low");
  const auto high = NumberAt(r, at + "ci_high");
  if (!value || !low || !high) return {};
  char text[200];
  std::snprintf(text, sizeof text, "  %s off/on %.4g [%.4g, %.4g]", metric.c_str(), *value, *low, *high);
  std::string out = text;
  if (const auto pairs = IntAt(r, at + "pairs")) out += ", " + std::to_string(*pairs) + " pairs";
  if (const auto least = NumberAt(r, at + "minimum_detectable")) {
    std::snprintf(text, sizeof text, "; this many pairs and this noise can show ratios from %.4g", *least);
    out += text;
  }
  if (BoolAt(r, at + "estimators_disagree").value_or(false))
    out += "; the estimators differ by more than 5 %";
  return out + "\n";
}

std::string Render(const Json& r) {
  std::string out =
      r["verdict"].get<std::string>() + ": " + r["reason"].get<std::string>() + "\n" + RatioLine(r);
  if (r["synthetic_weights"] == true) out += "model: synthetic weights\n";
  if (r["synthetic"] == true) out += "synthetic: these numbers come from a stub\n";
  for (const auto& f : r["findings"]) {
    out += "  [" + f["severity"].get<std::string>() + "] " + f["code"].get<std::string>() + " at " +
           f["where"].get<std::string>() + "\n    seen: " + f["seen"].get<std::string>() +
           "\n    expected: " + f["expected"].get<std::string>() +
           "\n    do: " + f["to_do"].get<std::string>() + "\n";
  }
  out += r["checks_made"].dump() + " of " + r["checks_in_all"].dump() + " checks could be made";
  std::string blind;
  for (const auto& check : r["not_checkable"]) {
    blind += "  " + check["row"].get<std::string>() + " " + check["code"].get<std::string>() + ": no " +
             check["missing"].get<std::string>() + "\n";
  }
  out += blind.empty() ? "\n" : "; blind for want of a field:\n" + blind;
  if (r.contains("note")) out += r["note"].get<std::string>() + "\n";
  return out;
}

}  // namespace

Tool AnalyzeReportTool() {
  Tool tool;
  tool.name = "analyze_report";
  tool.subcommand = "analyze";
  tool.title = "Judge a benchmark report";
  tool.description =
      "Use this to learn whether a cache benchmark can be believed: it checks a report (helix.report/1, "
      "llama-bench JSON, "
      "vllm bench serve JSON or SGLang lines) against a catalogue of bluffs and gives a verdict with "
      "findings. What the report "
      "does not record is listed as not checkable.";
  Json report = {{"type", "object"}, {"description", "The report itself."}};
  tool.input_schema = {{"type", "object"},
                       {"properties", {{"report", report}, {"id", ReportIdSchema()}}},
                       {"additionalProperties", false}};
  tool.cli_properties = {{"file", ReportFileSchema()}};
  tool.positionals = {"file"};
  const Json list = {{"type", "array"}};
  tool.output_schema = {
      {"type", "object"},
      {"properties", {{"verdict", {{"type", "string"}}}, {"codes", list}, {"findings", list}}},
      {"required", Json::array({"verdict"})}};
  tool.annotations = {true, false, true, false};
  tool.handler = Handle;
  tool.render = Render;
  return tool;
}

}  // namespace helix::mcp
