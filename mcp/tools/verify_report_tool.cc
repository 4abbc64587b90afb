#include "mcp/tools/verify_report_tool.h"

#include "core/analysis/verify_report.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/experiment/plan_order.h"
#include "core/tracks/fingerprint.h"
#include "core/tracks/verify/rederive.h"
#include "mcp/tools/report_argument.h"

namespace helix::mcp {
namespace {

// Whether the server that runs at the endpoint now is still the one that was measured.
Result<Json> Freshness(const std::string& report_path, const std::string& endpoint, const Settings& settings,
                       const RunContext& context) {
  auto report = ReadJsonFile(report_path);
  if (!report) return report;
  tracks::TargetRequest request;
  request.endpoint = endpoint;
  auto opened = tracks::OpenTarget(request, settings, context);
  if (!opened) return tl::make_unexpected(opened.error());
  if (const Skip* skip = std::get_if<Skip>(&*opened))
    return Json{{"state", "not_checkable"}, {"differs", Json::array()}, {"reason", skip->reason}};
  return tracks::CompareFingerprint(*report, std::get<tracks::Target>(*opened));
}

Result<Json> Handle(const Json& arguments, const Settings& settings, const RunContext& context) {
  auto path = ReportPath(arguments, settings);
  if (!path) return tl::make_unexpected(path.error());
  auto verification = analysis::VerifyReport(*path, {experiment::OrderFromSeed, tracks::RederiveFromBytes});
  if (!verification) return tl::make_unexpected(verification.error());
  Json result = verification->ToJson();
  if (const auto endpoint = StringAt(arguments, "endpoint")) {
    auto freshness = Freshness(*path, *endpoint, settings, context);
    if (!freshness) return freshness;
    result["freshness"] = std::move(*freshness);
  }
  return result;
}

std::string Render(const Json& r) {
  std::string out;
  for (const auto& step : r["steps"]) {
    out += "  " + step["name"].get<std::string>() + ": " + step["answer"].get<std::string>();
    if (step.contains("why")) out += " (" + step["why"].get<std::string>() + ")";
    out += "\n";
  }
  const Json& failure = r["first_failure"];
  if (failure.is_object()) {
    out += "first thing that does not hold: " + failure["step"].get<std::string>() + " at " +
           failure["where"].get<std::string>() + "\n  seen: " + failure["seen"].get<std::string>() +
           "\n  expected: " + failure["expected"].get<std::string>() + "\n";
  }
  if (const auto state = StringAt(r, "freshness/state"))
    out += "  against the running server: " + *state + " (" + StringAt(r, "freshness/reason").value_or("") +
           ")\n";
  return "verify " + r["verdict"].get<std::string>() + "\n" + out +
         "This shows that the record is whole, not who made it: compare report_sha256 " +
         r["report_sha256"].get<std::string>() + " with one kept elsewhere.\n";
}

}  // namespace

Tool VerifyReportTool() {
  Tool tool;
  tool.name = "verify_report";
  tool.subcommand = "verify";
  tool.title = "Verify a stored report";
  tool.description =
      "Use this to learn whether a report in the report folder is still what was recorded: hashes, tree, "
      "plan, token counts, answers, classes, statistics and verdict are computed again from the stored "
      "bytes, "
      "without a server, and the first thing that does not hold is named.";
  tool.input_schema = {
      {"type", "object"},
      {"properties",
       {{"id", ReportIdSchema()},
        {"endpoint",
         {{"type", "string"},
          {"description",
           "A running server: its model, template and flags are compared with those that were measured."}}}}},
      {"additionalProperties", false}};
  tool.cli_properties = {{"file", ReportFileSchema()}};
  tool.positionals = {"file"};
  tool.output_schema = {{"type", "object"},
                        {"properties",
                         {{"verdict", {{"type", "string"}}},
                          {"report_sha256", {{"type", "string"}}},
                          {"steps", {{"type", "array"}}},
                          {"freshness", {{"type", "object"}}},
                          {"first_failure", {{"type", Json::array({"object", "null"})}}}}},
                        {"required", Json::array({"verdict"})}};
  tool.annotations = {true, false, true, false};
  tool.handler = Handle;
  tool.render = Render;
  return tool;
}

}  // namespace helix::mcp
