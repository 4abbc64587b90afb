#include "core/tracks/track_a.h"

#include <algorithm>

#include "core/analysis/finish_report.h"
#include "core/backend/prometheus.h"
#include "core/base/file.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/experiment/environment.h"
#include "core/experiment/runner.h"
#include "core/tracks/run_equivalence.h"
#include "core/tracks/run_id.h"
#include "core/tracks/track_a_report.h"
#include "core/tracks/track_a_result.h"

namespace helix::tracks {
namespace {

using experiment::Sample;

// A reply without counters proves neither arm. One short call before anything is planned shows whether this
// server gives them.
Status RequireCounters(backend::Backend& backend, const experiment::Workload& workload,
                       const RunContext& context) {
  backend::GenerateRequest probe;
  const auto& prompt = workload.pairs.front().prompt;
  probe.prompt.assign(prompt.begin(), prompt.begin() + 4);
  const auto reply = backend.Generate(probe, context);
  if (!reply) return tl::make_unexpected(reply.error());
  if (reply->cached_tokens.present()) return {};
  return Fail(ErrorCode::kNotFound,
              "the server's reply says neither how many tokens it reused nor how many it evaluated");
}

experiment::Plan PlanFor(const Target& target, const experiment::Shape& shape,
                         const experiment::Workload& workload, std::uint64_t seed) {
  experiment::Plan plan = experiment::MakePlan(shape, workload, seed);
  const auto methods = target.backend->capabilities().cold_methods;
  plan.cold_method = methods.empty() ? "none" : backend::ColdMethodName(methods.front());
  backend::GenerateRequest timed;
  timed.output_tokens = shape.output_tokens;
  timed.stream = true;
  plan.sampler = target.backend->Parameters(timed);
  return plan;
}

// Bytes of every finished call; returns the digests of all objects.
Result<std::vector<std::string>> StoreEvidence(evidence::ObjectStore& objects, std::vector<Sample>& samples) {
  std::vector<std::string> digests;
  for (Sample& sample : samples) {
    if (sample.status != experiment::SampleStatus::kOk) continue;
    auto request = objects.Put(sample.reply.request_body);
    if (!request) return tl::make_unexpected(std::move(request.error()));
    auto reply = objects.Put(sample.reply.response_body);
    if (!reply) return tl::make_unexpected(std::move(reply.error()));
    sample.raw_request_sha256 = *request;
    sample.raw_sha256 = *reply;
    digests.push_back(std::move(*request));
    digests.push_back(std::move(*reply));
  }
  return digests;
}

// The plan and the environment are objects too, so that they can be compared with what the report says.
Status StoreFacts(evidence::ObjectStore& objects, Json& report, std::vector<std::string>& digests) {
  const Json plan = report["plan"];
  const Json environment = {{"env", report["env"]}, {"backend", report["backend"]}};
  const std::pair<const char*, const Json*> facts[] = {{"plan", &plan}, {"environment", &environment}};
  for (const auto& [name, value] : facts) {
    auto digest = objects.Put(evidence::CanonicalJson(*value));
    if (!digest) return tl::make_unexpected(std::move(digest.error()));
    report["evidence_objects"][name] = *digest;
    digests.push_back(std::move(*digest));
  }
  return {};
}

// Runs of this plan whose report is in the folder already: they are reported, and counted.
Result<std::size_t> EarlierReports(const evidence::RunStore& store, const std::string& run_id,
                                   const std::string& plan_sha256) {
  auto runs = store.RunsBefore(run_id);
  if (!runs) return tl::make_unexpected(std::move(runs.error()));
  const auto same = [&](const evidence::EarlierRun& run) {
    return run.plan_sha256 == plan_sha256 && !run.report_sha256.empty();
  };
  return static_cast<std::size_t>(std::count_if(runs->begin(), runs->end(), same));
}

Json MetricsMoved(const Result<Json>& before, const Result<Json>& after) {
  if (!before || !after) return nullptr;
  return backend::CounterDeltas(*before, *after);
}

struct Ready {
  experiment::Shape shape;
  experiment::Workload workload;
};

Result<Ready> Prepare(Target& target, const TrackAOptions& options, const RunContext& context) {
  auto shape = experiment::ShapeOf(options.profile, options.overrides);
  if (!shape) return tl::make_unexpected(std::move(shape.error()));
  auto fitted = experiment::FitToSlot(*shape, target.identity.context_per_slot);
  if (!fitted) return tl::make_unexpected(std::move(fitted.error()));
  if (!fitted->note.empty()) target.notices.push_back(fitted->note);
  auto workload = experiment::MakeWorkload(*target.backend, fitted->shape, options.seed, context);
  if (!workload) return tl::make_unexpected(std::move(workload.error()));
  return Ready{fitted->shape, std::move(*workload)};
}

}  // namespace

Result<Json> RunTrackAOn(Target& target, const TrackAOptions& options, const Settings& settings,
                         const RunContext& context, const std::function<std::int64_t()>& now) {
  auto ready = Prepare(target, options, context);
  if (!ready) return tl::make_unexpected(std::move(ready.error()));
  if (auto counters = RequireCounters(*target.backend, ready->workload, context); !counters) {
    if (counters.error().code != ErrorCode::kNotFound)
      return tl::make_unexpected(std::move(counters.error()));
    return MakeSkip("unsupported_counter", counters.error().message,
                    "a llama-server that sends timings with its replies")
        .ToJson();
  }
  auto store = evidence::RunStore::Open(settings.report_dir);
  if (!store) return tl::make_unexpected(std::move(store.error()));

  TrackARecord record;
  record.target = &target;
  record.env = experiment::EnvironmentFacts(*target.backend, context);
  const experiment::Plan plan = PlanFor(target, ready->shape, ready->workload, options.seed);
  record.plan = &plan;
  const std::string plan_sha256 = PlanSha256(PlanJson(plan));
  record.t_plan_ns = now();
  const std::string run_id = RunId("a", plan_sha256, record.t_plan_ns);
  HELIX_TRY(store->Begin(run_id, plan_sha256));
  auto earlier = EarlierReports(*store, run_id, plan_sha256);
  if (!earlier) return tl::make_unexpected(std::move(earlier.error()));
  record.earlier_reports = *earlier;

  const auto metrics_before = target.backend->Metrics(context);
  experiment::RunOptions run_options;
  run_options.now = now;
  auto run = experiment::Run(*target.backend, plan, ready->workload, run_options, context);
  if (!run) return tl::make_unexpected(std::move(run.error()));
  record.wall_ns = now() - record.t_plan_ns;
  record.metrics = MetricsMoved(metrics_before, target.backend->Metrics(context));

  auto digests = StoreEvidence(store->objects(), run->samples);
  if (!digests) return tl::make_unexpected(digests.error());
  const auto follow_ups = FollowUpDivergences(
      *target.backend, ready->workload, run->samples,
      [&](const std::string& bytes) { return store->objects().Put(bytes); }, context);
  if (!follow_ups) return tl::make_unexpected(follow_ups.error());
  for (const FollowUp& one : *follow_ups)
    digests->insert(digests->end(), one.evidence.begin(), one.evidence.end());
  record.run = &*run;
  const RunEquivalence equivalence = EquivalenceOf(run->samples, *follow_ups);
  record.equivalence = equivalence.report;
  Json report = TrackAReport(record);
  HELIX_TRY(StoreFacts(store->objects(), report, *digests));
  const analysis::Analysis judged = analysis::FinishReport(report);
  auto stored = store->Commit(run_id, std::move(report), *digests);
  if (!stored) return tl::make_unexpected(std::move(stored.error()));
  if (!options.out.empty()) {
    auto bytes = ReadFile(stored->path);
    if (!bytes) return tl::make_unexpected(std::move(bytes.error()));
    HELIX_TRY(WriteFileAtomic(options.out, *bytes));
  }
  TrackAOutcome outcome{&target,      &run->samples,  &judged,     equivalence.result,
                        stored->path, stored->sha256, plan_sha256, run->stopped_because};
  return TrackAResult(outcome);
}

Result<Json> RunTrackA(const TrackAOptions& options, const Settings& settings, const RunContext& context) {
  auto shape = experiment::ShapeOf(options.profile, options.overrides);
  if (!shape) return tl::make_unexpected(std::move(shape.error()));
  TargetRequest request = options.target;
  request.context_tokens =
      std::max(request.context_tokens, shape->prompt_tokens() + shape->output_tokens + 64);
  auto opened = OpenTarget(request, settings, context);
  if (!opened) return tl::make_unexpected(std::move(opened.error()));
  if (const Skip* skip = std::get_if<Skip>(&*opened)) return skip->ToJson();
  return RunTrackAOn(std::get<Target>(*opened), options, settings, context);
}

}  // namespace helix::tracks
