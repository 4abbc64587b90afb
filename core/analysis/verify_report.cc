#include "core/analysis/verify_report.h"

#include <algorithm>
#include <filesystem>

#include "core/analysis/analyze.h"
#include "core/analysis/history.h"
#include "core/analysis/report_view.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/merkle.h"
#include "core/evidence/run_store.h"
#include "core/evidence/seal.h"
#include "core/usage/usage_document.h"

namespace helix::analysis {
namespace {

VerifyStep Held(const char* name) {
  return VerifyStep::Held(name);
}
VerifyStep NotMade(const char* name, const std::string& why) {
  return VerifyStep::NotMade(name, why);
}
VerifyStep Broken(const char* name, const std::string& where, const std::string& seen,
                  const std::string& expected) {
  return VerifyStep::Broken(name, where, seen, expected);
}

// What every step needs; read once.
struct Subject {
  std::string path;
  std::string bytes;
  std::string folder;  // of the reports: runs/<run_id>/report.json lies below it
  Json report;
  ReportView view;
  std::optional<evidence::RunStore> store;
  const VerifyOptions* options = nullptr;
};

VerifyStep CheckJson(Subject& s) {
  auto report = ParseStrict(s.bytes);
  if (!report) return Broken("json", "", report.error().message, "strict JSON");
  s.report = std::move(*report);
  s.view = ReadReport(s.report);
  return Held("json");
}

VerifyStep CheckSeals(Subject& s) {
  auto broken = evidence::FirstBrokenSeal(s.report);
  if (broken) return Broken("parts", *broken, "changed after it was written", "the digest in /integrity");
  std::string canonical = evidence::CanonicalJson(s.report);
  if (canonical == s.bytes) return Held("parts");
  auto differ = std::mismatch(canonical.begin(), canonical.end(), s.bytes.begin(), s.bytes.end());
  return Broken("parts", "byte " + std::to_string(differ.second - s.bytes.begin()),
                "other bytes than canonical JSON of the same values", "the file as it was written");
}

VerifyStep CheckStore(Subject& s) {
  if (!std::filesystem::exists(s.folder + "/store/FORMAT")) {
    return Broken("store", s.folder + "/store", "nothing", "the report folder's object store beside runs/");
  }
  auto store = evidence::RunStore::OpenReadOnly(s.folder);
  if (!store) return Broken("store", s.folder, store.error().message, "a readable store");
  s.store.emplace(std::move(*store));
  return Held("store");
}

VerifyStep CheckLog(Subject& s) {
  auto log = s.store->ReadLog();
  if (!log) return Broken("log", "log", log.error().message, "every line linked to the one before");
  std::string id = StringAt(s.report, "run_id").value_or("");
  std::string digest = evidence::Sha256Hex(s.bytes);
  for (std::size_t i = log->size(); i-- > 0;) {
    const auto& entry = (*log)[i];
    if (entry.event != "report" || entry.run_id != id) continue;
    if (entry.digest != digest)
      return Broken("log", "", digest, entry.digest + " for run " + id + " in the log");
    std::string before = i == 0 ? "" : (*log)[i - 1].line_sha256;
    if (StringAt(s.report, "chain/previous").value_or("") == before) return Held("log");
    return Broken("log", "/chain/previous", StringAt(s.report, "chain/previous").value_or("null"), before);
  }
  return Broken("log", "/run_id", "no entry of run " + id, "an entry with this report's digest");
}

std::vector<std::string> RequiredObjects(const Subject& s) {
  std::vector<std::string> out;
  for (const auto& sample : s.view.samples) {
    if (Has(sample.raw_sha256)) out.emplace_back(sample.raw_sha256);
  }
  if (const Json* rows = Find(s.report, "samples"); rows != nullptr && rows->is_array()) {
    for (const auto& row : *rows) {
      if (auto request = StringAt(row, "request_sha256")) out.push_back(*request);
    }
  }
  if (const Json* named = Find(s.report, "evidence_objects")) {
    for (auto& digest : evidence::DigestsIn(*named)) out.push_back(digest);
  }
  return out;
}

VerifyStep CheckObjects(Subject& s) {
  auto required = RequiredObjects(s);
  // Everything the report names and the store holds is hashed again; what the report rests on must be there.
  for (auto& digest : evidence::DigestsIn(s.report)) {
    if (s.store->objects().Has(digest)) required.push_back(digest);
  }
  std::sort(required.begin(), required.end());
  required.erase(std::unique(required.begin(), required.end()), required.end());
  for (const auto& digest : required) {
    if (auto bytes = s.store->objects().Get(digest); !bytes) {
      return Broken("objects", digest, bytes.error().message, "bytes that hash to this digest");
    }
  }
  return Held("objects");
}

VerifyStep CheckTree(Subject& s) {
  evidence::Digest root{};
  bool readable = evidence::MerkleRootOfHexDigests(LeavesInSeqOrder(s.view), root);
  std::string stated = StringAt(s.report, "merkle_root").value_or("nothing");
  if (readable && evidence::Hex(root) == stated) return Held("merkle_root");
  return Broken("merkle_root", "/merkle_root", stated, evidence::Hex(root));
}

VerifyStep CheckPlan(Subject& s) {
  std::string now = evidence::Sha256Hex(evidence::CanonicalJson(s.view.Plan()));
  std::string stated = StringAt(s.report, "plan_sha256").value_or("nothing");
  if (now != stated) return Broken("plan", "/plan_sha256", stated, now);
  auto stored = StringAt(s.report, "evidence_objects/plan");
  if (stored && *stored != now) return Broken("plan", "/evidence_objects/plan", *stored, now);
  return Held("plan");
}

VerifyStep CheckEnvironment(Subject& s) {
  auto stored = StringAt(s.report, "evidence_objects/environment");
  if (!stored) return NotMade("environment", "the report names no stored environment");
  std::string now =
      evidence::Sha256Hex(evidence::CanonicalJson({{"env", s.view.Env()}, {"backend", s.view.Backend()}}));
  if (now == *stored) return Held("environment");
  return Broken("environment", "/evidence_objects/environment", *stored, now);
}

// Whether the folder's earlier runs contradict this one.
VerifyStep CheckHistory(Subject& s) {
  if (BoolAt(s.report, "synthetic").value_or(false))
    return NotMade("history", "a stub gives the same bytes again; its runs are not compared");
  auto findings = FindingsFromHistory(*s.store, s.report);
  if (!findings) return Broken("history", "log", findings.error().message, "a log that can be read");
  for (const auto& finding : *findings) {
    if (finding.severity == Severity::kFail)
      return Broken("history", finding.where, finding.code + ": " + finding.seen, finding.expected);
  }
  return Held("history");
}

VerifyStep CheckOrder(Subject& s) {
  auto drawn = s.options->order_from_seed ? s.options->order_from_seed(s.view.Plan()) : std::nullopt;
  if (!drawn) return NotMade("order", "this plan's order cannot be drawn again from its seed");
  const Json* order = Find(s.view.Plan(), "order");
  if (order != nullptr && *order == Json(*drawn)) return Held("order");
  return Broken("order", "/plan/order", "another order", "the order that plan.seed gives");
}

std::optional<double> CountOf(const Measured<Tokens>& tokens) {
  return tokens.present() ? std::optional<double>(static_cast<double>(tokens.value().count)) : std::nullopt;
}

VerifyStep CheckTokens(Subject& s) {
  std::size_t compared = 0;
  for (const auto& sample : s.view.samples) {
    if (!sample.ok() || !Has(sample.raw_sha256)) continue;
    auto bytes = s.store->objects().Get(std::string(sample.raw_sha256));
    if (!bytes)
      return Broken("tokens", std::string(sample.raw_sha256), bytes.error().message, "the reply's bytes");
    auto document = usage::ReadUsageDocument(*bytes, "");
    if (!document) continue;  // a reply whose shape this program does not know
    const auto& usage = document->last().usage;
    for (const auto& [stated, parsed, field] :
         {std::tuple(sample.prompt_tokens, CountOf(usage.in_total), "server/prompt_tokens"),
          std::tuple(sample.cached_n, CountOf(usage.cache_read), "server/cached_n"),
          std::tuple(sample.out_n, CountOf(usage.out_total), "out/n"),
          std::tuple(sample.prompt_ms, usage.prefill_ms.optional(), "server/prompt_ms"),
          std::tuple(sample.predicted_ms, usage.decode_ms.optional(), "server/predicted_ms")}) {
      if (!Has(stated) || !parsed) continue;
      ++compared;
      if (*parsed == stated) continue;
      return Broken("tokens", sample.Pointer(field), evidence::CanonicalNumber(stated),
                    evidence::CanonicalNumber(*parsed) + " in the stored reply");
    }
  }
  if (compared == 0) return NotMade("tokens", "no stored reply holds token counts");
  return Held("tokens");
}

VerifyStep CheckStatistics(Subject& s, const Analysis& analysis) {
  const Json* stated = Find(s.report, "statistics");
  if (stated == nullptr)
    return Broken("statistics", "/statistics", "nothing", "the statistics of the samples");
  Json now = analysis.statistics.ToJson();
  for (auto it = now.begin(); it != now.end(); ++it) {
    const Json* there = Find(*stated, it.key());
    if (there != nullptr && evidence::CanonicalJson(*there) == evidence::CanonicalJson(*it)) continue;
    return Broken("statistics", "/statistics/" + it.key(),
                  there == nullptr ? "nothing" : DumpJson(*there).substr(0, 120),
                  DumpJson(*it).substr(0, 120));
  }
  return Held("statistics");
}

VerifyStep CheckVerdict(Subject& s, const Analysis& analysis) {
  std::string stated = StringAt(s.report, "verdict").value_or("nothing");
  if (stated == VerdictName(analysis.verdict)) return Held("verdict");
  return Broken("verdict", "/verdict", stated, VerdictName(analysis.verdict) + (": " + analysis.reason));
}

// The statistics may have been computed by another libm; the bootstrap's seed is the report's own.
Analysis Recompute(const Subject& s) {
  AnalyzeOptions options;
  options.statistics.bootstrap.seed =
      static_cast<std::uint64_t>(IntAt(s.report, "statistics/bootstrap_seed").value_or(42));
  return Analyze(s.report, options);
}

// Up to the first that does not hold.
void AddRederived(Subject& s, Verification& out) {
  if (!s.options->rederive) return;
  for (auto& step : s.options->rederive(s.report, s.store->objects())) {
    out.steps.push_back(std::move(step));
    if (!out.steps.back().held) return;
  }
}

}  // namespace

VerifyStep VerifyStep::Held(const std::string& name) {
  return {name, true, true, {}, {}, {}};
}

VerifyStep VerifyStep::NotMade(const std::string& name, const std::string& why) {
  return {name, true, false, {}, why, {}};
}

VerifyStep VerifyStep::Broken(const std::string& name, const std::string& where, const std::string& seen,
                              const std::string& expected) {
  return {name, false, true, where, seen, expected};
}

Json Verification::ToJson() const {
  Json out{{"verdict", held() ? "PASS" : "FAIL"}, {"report_sha256", report_sha256}, {"steps", Json::array()}};
  for (const auto& step : steps) {
    Json entry{{"name", step.name}, {"answer", !step.made ? "not_made" : step.held ? "holds" : "broken"}};
    if (!step.made) entry["why"] = step.seen;
    out["steps"].push_back(std::move(entry));
  }
  out["first_failure"] = nullptr;
  if (held() || steps.empty()) return out;
  const auto& last = steps.back();
  out["first_failure"] = {
      {"step", last.name}, {"where", last.where}, {"seen", last.seen}, {"expected", last.expected}};
  return out;
}

Result<Verification> VerifyReport(const std::string& path, const VerifyOptions& options) {
  auto bytes = ReadFile(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  Subject s;
  s.path = path;
  s.bytes = std::move(*bytes);
  s.folder = std::filesystem::absolute(path).parent_path().parent_path().parent_path().string();
  s.options = &options;
  Verification out;
  out.report_sha256 = evidence::Sha256Hex(s.bytes);
  auto made = [&](auto... steps) { return ((out.steps.push_back(steps(s)), out.steps.back().held) && ...); };
  if (!made(CheckJson, CheckSeals, CheckStore, CheckLog, CheckObjects)) return out;
  if (StringAt(s.report, "schema") != "helix.report/1") {
    AddRederived(s, out);
    if (out.steps.back().name == "objects")
      out.steps.push_back(NotMade("statistics", "the record is not of the schema helix.report/1"));
    return out;
  }
  if (!made(CheckTree, CheckPlan, CheckEnvironment, CheckOrder, CheckTokens, CheckHistory)) return out;
  Analysis analysis = Recompute(s);
  out.steps.push_back(CheckStatistics(s, analysis));
  if (out.steps.back().held) out.steps.push_back(CheckVerdict(s, analysis));
  if (out.steps.back().held) AddRederived(s, out);
  return out;
}

}  // namespace helix::analysis
