#include "mcp/tools/report_argument.h"

#include "core/base/json_fields.h"
#include "core/evidence/run_store.h"

namespace helix::mcp {

Json ReportIdSchema() {
  return {{"type", "string"},
          {"description",
           "Run id, or the report_sha256 of an earlier result: a report in this machine's report folder."}};
}

Json ReportFileSchema() {
  return {{"type", "string"}, {"description", "Report file."}};
}

Result<std::string> ReportPath(const Json& arguments, const Settings& settings) {
  auto file = StringAt(arguments, "file");
  auto id = StringAt(arguments, "id");
  if (file.has_value() == id.has_value()) {
    return Fail(ErrorCode::kInvalidArgument, "expected the report's id, or its file, and one of them only",
                "pass the report_sha256 of an earlier result as id");
  }
  if (file) return *file;
  auto found = evidence::FindReport(settings.report_dir, *id);
  if (!found) return tl::make_unexpected(found.error());
  return found->path;
}

}  // namespace helix::mcp
