#include "mcp/tools/run_selfcheck_tool.h"

#include "core/analysis/selfcheck.h"

namespace helix::mcp {
namespace {

Result<Json> Handle(const Json&, const Settings&, const RunContext&) {
  return analysis::RunSelfcheck().ToJson();
}

std::string Render(const Json& r) {
  std::string out = "selfcheck " + r["verdict"].get<std::string>() + ": " + r["good"].dump() +
                    " golden-good and " + r["bad"].dump() + " golden-bad reports, " + r["checks"].dump() +
                    " checks in " + r["rows"].dump() + " catalogue rows, " + r["rows_with_report"].dump() +
                    " of them with a bad report of their own, " + r["boundaries"].dump() +
                    " thresholds tried on both sides\n";
  for (const auto& f : r["failures"]) {
    out += "  " + f["report"].get<std::string>() + ": " + f["why"].get<std::string>() + "; expected " +
           f["expected"].dump() + ", found " + f["seen"].dump() + "\n";
  }
  return out + r["notice"].get<std::string>() + "\n";
}

}  // namespace

Tool RunSelfcheckTool() {
  Tool tool;
  tool.name = "run_selfcheck";
  tool.subcommand = "selfcheck";
  tool.title = "Check the checker";
  tool.description =
      "Use this before you trust a verdict: it runs every check on reports with known answers, sound and "
      "forged, and "
      "fails when one is misjudged. It needs no server; all its numbers are synthetic.";
  tool.input_schema = {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  const Json count = {{"type", "integer"}};
  tool.output_schema = {{"type", "object"},
                        {"properties",
                         {{"verdict", {{"type", "string"}}},
                          {"good", count},
                          {"bad", count},
                          {"checks", count},
                          {"rows", count},
                          {"rows_with_report", count},
                          {"boundaries", count},
                          {"failures", {{"type", "array"}, {"items", {{"type", "object"}}}}},
                          {"notice", {{"type", "string"}}}}},
                        {"required", Json::array({"verdict"})}};
  tool.annotations = {true, false, true, false};
  tool.handler = Handle;
  tool.render = Render;
  return tool;
}

}  // namespace helix::mcp
