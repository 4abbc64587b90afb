#include "mcp/resources/report_resources.h"

#include "core/base/file.h"
#include "core/evidence/digest.h"
#include "mcp/resources/guide.h"
#include "mcp/resources/report_files.h"

namespace helix::mcp {
namespace {

const std::string kReports = "helix://reports/";
const std::string kResults = "helix://results/";
const std::string kGuide = "helix://guide/measurement";

bool IsDigest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string ResultPath(const std::string& report_dir, const std::string& digest) {
  return report_dir + "/results/" + digest + ".json";
}

Json Contents(const std::string& uri, const char* type, std::string_view text) {
  return Json::array({Json{{"uri", uri}, {"mimeType", type}, {"text", text}}});
}

class Reports : public ResourceSource {
 public:
  explicit Reports(const std::string& report_dir) : report_dir_(report_dir), files_(report_dir) {}

  std::vector<Json> List() override {
    std::vector<Json> list;
    if (!MeasurementGuide().empty()) {
      list.push_back(Json{{"uri", kGuide},
                          {"name", "measurement-guide"},
                          {"title", "What every number means"},
                          {"mimeType", "text/markdown"}});
    }
    for (const auto& file : files_.List()) {
      list.push_back(Json{{"uri", kReports + file.digest},
                          {"name", file.run_id},
                          {"title", "Report of run " + file.run_id},
                          {"mimeType", "application/json"},
                          {"size", file.size}});
    }
    return list;
  }

  std::vector<Json> Templates() override {
    return {Json{{"uriTemplate", kReports + "{digest}"},
                 {"name", "report"},
                 {"title", "A report by its SHA-256"},
                 {"description", "digest is the report_sha256 of a bench result."},
                 {"mimeType", "application/json"}},
            Json{{"uriTemplate", kResults + "{digest}"},
                 {"name", "result"},
                 {"title", "An uncut tool result"},
                 {"description", "The full_result of a result that had to be cut."},
                 {"mimeType", "application/json"}}};
  }

  Result<Json> Read(const std::string& uri) override {
    if (uri == kGuide && !MeasurementGuide().empty())
      return Contents(uri, "text/markdown", MeasurementGuide());
    const auto slash = uri.rfind('/') + 1;
    const auto digest = uri.substr(slash);
    std::string path;
    if (IsDigest(digest) && uri.substr(0, slash) == kReports) {
      if (const auto file = files_.Find(digest)) path = file->path;
    } else if (IsDigest(digest) && uri.substr(0, slash) == kResults) {
      path = ResultPath(report_dir_, digest);
    }
    Result<std::string> bytes = Fail(ErrorCode::kNotFound, "no such resource");
    if (!path.empty()) bytes = ReadFile(path);
    if (!bytes) return Fail(ErrorCode::kNotFound, "there is no resource " + uri);
    return Contents(uri, "application/json", *bytes);
  }

  std::vector<std::string> Complete(const std::string& uri_template, const std::string& argument,
                                    const std::string& prefix) override {
    std::vector<std::string> digests;
    if (uri_template != kReports + "{digest}" || argument != "digest") return digests;
    for (const auto& file : files_.List()) {
      if (file.digest.rfind(prefix, 0) == 0) digests.push_back(file.digest);
    }
    return digests;
  }

 private:
  const std::string report_dir_;
  ReportFiles files_;
};

}  // namespace

std::shared_ptr<ResourceSource> ReportResources(const std::string& report_dir) {
  return std::make_shared<Reports>(report_dir);
}

std::string KeepResult(const std::string& report_dir, const Json& result) {
  const auto bytes = DumpPretty(result);
  const auto digest = evidence::Sha256Hex(bytes);
  return WriteFileAtomic(ResultPath(report_dir, digest), bytes) ? kResults + digest : "";
}

}  // namespace helix::mcp
