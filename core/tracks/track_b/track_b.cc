#include "core/tracks/track_b/track_b.h"

#include <algorithm>

#include "core/analysis/finish_report.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/tracks/run_id.h"
#include "core/tracks/track_b/local_server.h"
#include "core/tracks/track_b/managed_target.h"
#include "core/tracks/track_b/spend_permission.h"
#include "core/tracks/track_b/track_b_report.h"
#include "core/tracks/track_b/track_b_result.h"
#include "core/tracks/track_b/track_b_run.h"

namespace helix::tracks {
namespace {

TrackBOptions OptionsFor(const TrackBRequest& request, TrackBTarget& target) {
  TrackBOptions options = request.options;
  options.model = target.model;
  if (target.chars_per_token) options.chars_per_token = *target.chars_per_token;
  options.prime_each_warm = target.free;
  if (target.free) options.temperature = 0;
  if (!target.context_tokens) return options;
  const int room =
      static_cast<int>(std::min<std::int64_t>(*target.context_tokens, 1 << 24)) - TokensBesidePrefix(options);
  if (room >= options.prefix_tokens) return options;
  options.prefix_tokens = std::max(room, 64);
  target.notices.push_back("The prefix was shortened to " + std::to_string(options.prefix_tokens) +
                           " tokens: a slot of this server holds " + std::to_string(*target.context_tokens) +
                           ".");
  return options;
}

struct Job {
  TrackBTarget* target = nullptr;
  TrackBOptions options;
  std::vector<PlannedCall> plan;
  const Spending* spending = nullptr;
};

// Track B's own judgement, never better than what the catalogue found. Rows that the catalogue could not
// check are no finding: a hosted reply has no server times, and the report's own verdict says so.
Json Combine(Json judged, const analysis::Analysis& analysis) {
  bool fails = judged["verdict"] == "FAIL";
  bool doubts = judged["verdict"] != "PASS";
  for (const auto& finding : analysis.findings) {
    judged["findings"].push_back(finding.ToJson());
    fails = fails || finding.severity == analysis::Severity::kFail;
    doubts = doubts || finding.severity == analysis::Severity::kInconclusive;
  }
  judged["verdict"] = fails ? "FAIL" : doubts ? "INCONCLUSIVE" : "PASS";
  judged["report_verdict"] = analysis::VerdictName(analysis.verdict);
  judged["report_reason"] = analysis.reason;
  return judged;
}

// The plan and the environment are objects too, so that they can be compared with what the report says.
Status StoreFacts(evidence::ObjectStore& objects, Json& report, std::vector<std::string>& digests) {
  const Json plan = report["plan"];
  const Json environment = {{"env", report["env"]}, {"backend", report["backend"]}};
  const std::pair<const char*, const Json*> facts[] = {{"plan", &plan}, {"environment", &environment}};
  for (const auto& [name, value] : facts) {
    auto digest = objects.Put(evidence::CanonicalJson(*value));
    if (!digest) return tl::make_unexpected(digest.error());
    report["evidence_objects"][name] = *digest;
    digests.push_back(*digest);
  }
  return {};
}

// Runs of this plan whose report is in the folder already: they are reported, and counted.
Result<std::size_t> EarlierReports(const evidence::RunStore& store, const std::string& run_id,
                                   const std::string& plan_sha256) {
  auto runs = store.RunsBefore(run_id);
  if (!runs) return tl::make_unexpected(runs.error());
  return static_cast<std::size_t>(
      std::count_if(runs->begin(), runs->end(), [&](const evidence::EarlierRun& run) {
        return run.plan_sha256 == plan_sha256 && !run.report_sha256.empty();
      }));
}

Result<Json> RunAndReport(Job& job, const TrackBRequest& request, const Settings& settings,
                          const RunContext& context) {
  auto store = evidence::RunStore::Open(settings.report_dir);
  if (!store) return tl::make_unexpected(store.error());
  const Json plan = PlanJson(job.plan, job.options);
  const std::string plan_sha256 = evidence::Sha256Hex(evidence::CanonicalJson(plan));
  const std::int64_t t_plan_ns = SteadyNowNs();
  const std::string run_id = RunId("b", plan_sha256, t_plan_ns);
  HELIX_TRY(store->Begin(run_id, plan_sha256));
  backend::HostedClient client(job.target->client);
  const int settle_ms = job.target->profile != nullptr ? job.target->profile->settle_ms : 0;
  auto run = RunCalls(job.plan, job.options, settle_ms, client, job.spending, context);
  if (!run) return tl::make_unexpected(run.error());
  run->t_plan_ns = t_plan_ns;
  run->wall_ns = SteadyNowNs() - t_plan_ns;
  auto digests = StoreReplies(store->objects(), *run);
  if (!digests) return tl::make_unexpected(digests.error());
  Json judged = TrackBResult(*run, job.options, *job.target);
  Json report = TrackBReport(*run, job.plan, plan, *job.target, judged);
  auto earlier = EarlierReports(*store, run_id, plan_sha256);
  if (!earlier) return tl::make_unexpected(earlier.error());
  report["claim"]["runs_executed"] = *earlier + 1;
  report["claim"]["runs_reported"] = *earlier + 1;
  HELIX_TRY(StoreFacts(store->objects(), report, *digests));
  const analysis::Analysis analysis = analysis::FinishReport(report);
  Json result = Combine(std::move(judged), analysis);
  // What the file says of this track is what the caller is told.
  for (const char* said : {"verdict", "findings"}) report["track_b"][said] = result[said];
  auto stored = store->Commit(run_id, std::move(report), *digests);
  if (!stored) return tl::make_unexpected(stored.error());
  if (!request.out.empty()) {
    auto bytes = ReadFile(stored->path);
    if (!bytes) return tl::make_unexpected(bytes.error());
    HELIX_TRY(WriteFileAtomic(request.out, *bytes));
  }
  result["plan_sha256"] = plan_sha256;
  result["report_path"] = stored->path;
  result["report_sha256"] = stored->sha256;
  return result;
}

Result<Json> RunPaid(const TrackBRequest& request, TrackBTarget& target, const Settings& settings,
                     const RunContext& context) {
  Job job{&target, OptionsFor(request, target), {}, nullptr};
  job.plan = PlanCalls(job.options);
  auto permitted = PermitSpending(request.spend, target, job.plan, job.options, settings);
  if (!permitted) return tl::make_unexpected(permitted.error());
  if (const auto* skip = std::get_if<Skip>(&*permitted)) return skip->ToJson();
  job.spending = &std::get<SpendPermission>(*permitted).spending;
  return RunAndReport(job, request, settings, context);
}

Result<Json> RunFree(const TrackBRequest& request, TrackBTarget& target, const Settings& settings,
                     const RunContext& context) {
  Job job{&target, OptionsFor(request, target), {}, nullptr};
  job.plan = PlanCalls(job.options);
  const auto& prime = job.plan.front().request;
  CountPrefix(target, prime.salt + prime.prefix, context);
  return RunAndReport(job, request, settings, context);
}

Result<Json> RunManaged(const TrackBRequest& request, const Settings& settings, const EnvReader& env,
                        const RunContext& context) {
  return OnManagedTarget(request.options, settings, env, context, [&](const std::string& base_url) {
    TrackBRequest local = request;
    local.managed = false;
    local.target.endpoint = base_url;
    return RunTrackB(local, settings, env, context);
  });
}

}  // namespace

Result<Json> RunTrackB(const TrackBRequest& request, const Settings& settings, const EnvReader& env,
                       const RunContext& context) {
  if (request.managed) return RunManaged(request, settings, env, context);
  auto found = FindTrackBTarget(request.target, settings, env, context);
  if (!found) return tl::make_unexpected(found.error());
  if (const auto* skip = std::get_if<Skip>(&*found)) return skip->ToJson();
  auto& target = std::get<TrackBTarget>(*found);
  return target.free ? RunFree(request, target, settings, context)
                     : RunPaid(request, target, settings, context);
}

}  // namespace helix::tracks
