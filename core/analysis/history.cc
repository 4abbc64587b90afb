#include "core/analysis/history.h"

#include <filesystem>
#include <set>

#include "core/analysis/checks/check.h"
#include "core/analysis/report_view.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"

namespace helix::analysis {
namespace {

std::set<std::string> RepliesOf(const ReportView& view) {
  std::set<std::string> out;
  for (const auto& sample : view.samples) {
    if (Has(sample.raw_sha256)) out.emplace(sample.raw_sha256);
  }
  return out;
}

// The report as the log names it, or null when it is gone or is another one now.
Json ReportOf(const evidence::RunStore& store, const evidence::EarlierRun& run) {
  auto bytes = ReadFile(store.folder() + "/runs/" + run.run_id + "/report.json");
  if (!bytes || run.report_sha256.empty() || evidence::Sha256Hex(*bytes) != run.report_sha256) return nullptr;
  return ParseStrict(*bytes).value_or(Json(nullptr));
}

Json SharedWith(const std::set<std::string>& replies, const Json& earlier) {
  Json shared = Json::array();
  if (!earlier.is_object()) return shared;
  for (const auto& reply : RepliesOf(ReadReport(earlier))) {
    if (replies.count(reply) != 0) shared.push_back(reply);
  }
  return shared;
}

bool IsSynthetic(const Json& report) {
  return BoolAt(report, "synthetic").value_or(false);
}

// A history that the report brings is kept, and cannot hide what the folder knows.
void AddHistory(Json& report, const Json& history) {
  Json& all = report["history"];
  if (!all.is_array()) all = Json::array();
  for (const auto& run : history) all.push_back(run);
}

bool LooksAtOtherRuns(const Check& check) {
  std::string_view row = check.row;
  return row == "D12" || row == "D20" || row == "F12";
}

}  // namespace

Result<Json> HistoryOf(const evidence::RunStore& store, const Json& report) {
  auto runs = store.RunsBefore(StringAt(report, "run_id").value_or(""));
  if (!runs) return tl::make_unexpected(runs.error());
  std::set<std::string> replies = RepliesOf(ReadReport(report));
  std::string plan = StringAt(report, "plan_sha256").value_or("");
  std::string root = StringAt(report, "merkle_root").value_or("");
  Json out = Json::array();
  for (const auto& run : *runs) {
    Json earlier = ReportOf(store, run);
    Json shared = SharedWith(replies, earlier);
    auto its_root = StringAt(earlier, "merkle_root");
    if (run.plan_sha256 != plan && shared.empty() && its_root != root) continue;
    out.push_back({{"run_id", run.run_id},
                   {"plan_sha256", run.plan_sha256},
                   {"reported", !earlier.is_null()},
                   {"merkle_root", OrNull(its_root)},
                   {"shared_evidence", std::move(shared)}});
  }
  return out;
}

Result<std::vector<Finding>> FindingsFromHistory(const evidence::RunStore& store, const Json& report) {
  std::vector<Finding> findings;
  if (IsSynthetic(report)) return findings;
  auto history = HistoryOf(store, report);
  if (!history) return tl::make_unexpected(history.error());
  Json judged = report;
  AddHistory(judged, *history);
  ReportView view = ReadReport(judged);
  Statistics none;
  CheckInput input{view, none, "ttft", 0};
  for (const auto& check : Catalogue()) {
    if (!LooksAtOtherRuns(check)) continue;
    CheckAnswer answer;
    Reporter reporter(check, findings, answer);
    check.run(input, reporter);
  }
  return findings;
}

std::string ReportFolderOf(const std::string& path) {
  std::error_code ec;
  auto run = std::filesystem::absolute(path, ec).parent_path();
  if (ec || run.parent_path().filename() != "runs") return {};
  std::string folder = run.parent_path().parent_path().string();
  return std::filesystem::exists(folder + "/store/FORMAT", ec) ? folder : std::string();
}

Result<AnyAnalysis> AnalyzeFile(const std::string& path, const AnalyzeOptions& options) {
  auto bytes = ReadFile(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  std::string folder = ReportFolderOf(path);
  auto report = folder.empty() ? Result<Json>(Json(nullptr)) : ParseStrict(*bytes);
  if (!report || !report->is_object() || IsSynthetic(*report)) return AnalyzeAnything(*bytes, options);
  auto store = evidence::RunStore::OpenReadOnly(folder);
  if (!store) return AnalyzeAnything(*bytes, options);
  auto history = HistoryOf(*store, *report);
  if (!history) return AnalyzeAnything(*bytes, options);
  AddHistory(*report, *history);
  return AnyAnalysis{Analyze(*report, options), "helix.report/1", ""};
}

}  // namespace helix::analysis
