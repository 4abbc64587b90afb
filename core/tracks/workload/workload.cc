#include "core/tracks/workload/workload.h"

#include <algorithm>
#include <filesystem>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/experiment/environment.h"
#include "core/tracks/fingerprint.h"
#include "core/tracks/run_id.h"
#include "core/tracks/track_a_result.h"
#include "core/tracks/workload/replay.h"
#include "core/tracks/workload/sweep.h"
#include "core/tracks/workload/traffic_run.h"

namespace helix::tracks {
namespace {

using Captured = std::vector<consistency::CapturedExchange>;

constexpr int kSlack = 64;

bool IsTraffic(const std::string& name) {
  const auto& names = experiment::TrafficNames();
  return name == "shapes" || std::find(names.begin(), names.end(), name) != names.end();
}

Result<Captured> ReadCaptureFile(const std::string& path) {
  std::error_code missing;
  if (!std::filesystem::exists(path, missing))
    return Fail(ErrorCode::kNotFound, "no capture and no generated workload is called \"" + path + "\"",
                "name a file that `record` wrote, or shapes, sweep, agent_loop, ...");
  auto text = ReadFile(path);
  if (!text) return tl::make_unexpected(text.error());
  bool torn = false;  // a loop that is still being recorded can be replayed as far as it goes
  return consistency::ReadCapture(*text, &torn);
}

// The open target and everything needed to open it again.
class Opened {
 public:
  Opened(TargetRequest request, const Settings& settings, const RunContext& context)
      : request_(std::move(request)), settings_(settings), context_(context) {}

  // nullopt: `skip` says why.
  Result<std::optional<Target>> Open() {
    auto opened = OpenTarget(request_, settings_, context_);
    if (!opened) return tl::make_unexpected(opened.error());
    if (Skip* why = std::get_if<Skip>(&*opened)) {
      skip = why->ToJson();
      return std::nullopt;
    }
    return std::optional<Target>(std::move(std::get<Target>(*opened)));
  }
  [[nodiscard]] Reopen Again() {
    if (!request_.managed) return {};
    return [this]() -> Result<Target> {
      auto target = Open();
      if (!target) return tl::make_unexpected(target.error());
      if (!*target) return Fail(ErrorCode::kUnavailable, "the server could not be started again");
      return std::move(**target);
    };
  }
  // A managed server of this size, from the next Open on.
  void Enlarge(std::int64_t context_tokens) {
    request_.context_tokens =
        static_cast<int>(std::max<std::int64_t>(request_.context_tokens, context_tokens));
  }
  [[nodiscard]] bool managed() const { return request_.managed; }

  Json skip;

 private:
  TargetRequest request_;
  const Settings& settings_;
  const RunContext& context_;
};

ReplayOptions ReplayOptionsOf(const TrackAOptions& options) {
  ReplayOptions replay;
  replay.seed = options.seed;
  replay.loops = options.overrides.pairs.value_or(replay.loops);
  replay.most_output_tokens = options.overrides.output_tokens.value_or(replay.most_output_tokens);
  return replay;
}

// Turns that a slot cannot hold are left out, with a note.
void FitToSlot(ReplayPlan& plan, std::int64_t context_per_slot) {
  const auto too_long = [&](const ReplayTurn& turn) {
    return static_cast<std::int64_t>(turn.prompt.size()) + turn.output_tokens >= context_per_slot;
  };
  for (const ReplayTurn& turn : plan.turns)
    if (too_long(turn))
      plan.notes.push_back("exchange " + std::to_string(turn.exchange) + " has " +
                           std::to_string(turn.prompt.size()) + " tokens, more than a slot holds");
  std::erase_if(plan.turns, too_long);
}

Result<Json> Replayed(Opened& opened, Target& target, const Captured& captured, const TrackAOptions& options,
                      const Settings& settings, const RunContext& context) {
  const ReplayOptions replay = ReplayOptionsOf(options);
  auto plan = PlanReplay(captured, target.identity.endpoint, settings.api_key.value_or(""), replay, context);
  if (!plan) return tl::make_unexpected(plan.error());
  if (opened.managed() && plan->longest >= target.identity.context_per_slot) {
    opened.Enlarge(plan->longest + kSlack);
    target.backend.reset();
    target.lifetime.reset();
    auto larger = opened.Again()();
    if (!larger) return tl::make_unexpected(larger.error());
    target = std::move(*larger);
  }
  FitToSlot(*plan, target.identity.context_per_slot);
  if (plan->turns.empty())
    return Fail(ErrorCode::kInvalidArgument, "no captured request fits into a slot of this server",
                "start the server with a larger -c");
  PredictedServer server(target, opened.Again(), context);
  return RunReplay(server, *plan, replay, context);
}

Result<Json> Swept(Opened& opened, Target& target, const TrackAOptions& options, const RunContext& context) {
  SweepOptions sweep;
  sweep.seed = options.seed;
  sweep.longest_prompt = options.profile == "quick" ? 1024 : options.profile == "standard" ? 2048 : 4096;
  if (options.overrides.prefix_tokens) sweep.longest_prompt = std::max(512, *options.overrides.prefix_tokens);
  const std::int64_t context_tokens = target.identity.context_per_slot;
  sweep.pairs = options.overrides.pairs.value_or(sweep.pairs);
  sweep.output_tokens = options.overrides.output_tokens.value_or(sweep.output_tokens);
  while (context_tokens > 0 && sweep.longest_prompt + sweep.output_tokens >= context_tokens)
    sweep.longest_prompt /= 2;
  PredictedServer server(target, opened.Again(), context);
  return RunSweep(server, sweep, context);
}

Result<Json> Sent(Opened& opened, Target& target, const std::string& workload, const TrackAOptions& options,
                  const RunContext& context) {
  PredictedServer server(target, opened.Again(), context);
  const auto names = workload == "shapes" ? experiment::TrafficNames() : std::vector<std::string>{workload};
  return RunTraffic(server, names, options.seed, context);
}

// The run in the report folder: announced before its first request, so that one without a report stays
// visible.
class StoredRun {
 public:
  static Result<StoredRun> Begin(const Json& plan, const Settings& settings) {
    auto store = evidence::RunStore::Open(settings.report_dir);
    if (!store) return tl::make_unexpected(store.error());
    const std::string plan_sha256 = evidence::Sha256Hex(evidence::CanonicalJson(plan));
    StoredRun run(std::move(*store), plan, plan_sha256, RunId("w", plan_sha256, SteadyNowNs()));
    HELIX_TRY(run.store_.Begin(run.run_id_, plan_sha256));
    return run;
  }

  // Adds the report's path and digest to `result`.
  Status Commit(Json& result, const Target& target, const Json& env, const std::string& copy_to) {
    Json report = result;
    report["schema"] = "helix.workload/1";
    report["plan"] = plan_;
    report["plan_sha256"] = plan_sha256_;
    report["env"] = env;
    report["fingerprint"] = FingerprintOf(target, {});
    report["backend"] = {{"kind", target.identity.kind},
                         {"build", target.identity.build},
                         {"flags", target.flags},
                         {"weights_sha256", target.weights_sha256},
                         {"facts", target.identity.facts}};
    auto stored = store_.Commit(run_id_, std::move(report), {});
    if (!stored) return tl::make_unexpected(stored.error());
    result["report_path"] = stored->path;
    result["report_sha256"] = stored->sha256;
    if (copy_to.empty()) return {};
    auto bytes = ReadFile(stored->path);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return WriteFileAtomic(copy_to, *bytes);
  }

 private:
  StoredRun(evidence::RunStore store, Json plan, std::string plan_sha256, std::string run_id)
      : store_(std::move(store)),
        plan_(std::move(plan)),
        plan_sha256_(std::move(plan_sha256)),
        run_id_(std::move(run_id)) {}

  evidence::RunStore store_;
  Json plan_;
  std::string plan_sha256_;
  std::string run_id_;
};

// A capture stands in the plan as its digest: it is the user's own text.
Json PlanOf(const std::string& workload, bool generated, const TrackAOptions& options) {
  Json plan{
      {"workload", generated ? workload : "capture"}, {"seed", options.seed}, {"profile", options.profile}};
  if (!generated) plan["capture_sha256"] = evidence::Sha256Hex(ReadFile(workload).value_or(""));
  plan["pairs"] = OrNull(options.overrides.pairs);
  plan["output_tokens"] = OrNull(options.overrides.output_tokens);
  plan["prefix_tokens"] = OrNull(options.overrides.prefix_tokens);
  return plan;
}

}  // namespace

Result<Json> RunWorkload(const TrackAOptions& options, const std::string& workload, const Settings& settings,
                         const RunContext& context) {
  Captured captured;
  const bool generated = workload == "sweep" || IsTraffic(workload);
  if (!generated) {
    auto read = ReadCaptureFile(workload);
    if (!read) return tl::make_unexpected(read.error());
    captured = std::move(*read);
  }
  TargetRequest request = options.target;
  if (workload == "sweep" && options.profile == "thorough")
    request.context_tokens = std::max(request.context_tokens, 4096 + 256);
  Opened opened(request, settings, context);
  auto target = opened.Open();
  if (!target) return tl::make_unexpected(target.error());
  if (!*target) return opened.skip;
  auto run = StoredRun::Begin(PlanOf(workload, generated, options), settings);
  if (!run) return tl::make_unexpected(run.error());
  const Json env = experiment::EnvironmentFacts(*(*target)->backend, context);
  auto result = !generated            ? Replayed(opened, **target, captured, options, settings, context)
                : workload == "sweep" ? Swept(opened, **target, options, context)
                                      : Sent(opened, **target, workload, options, context);
  if (!result) return result;
  (*result)["workload"] = generated ? Json(workload) : Json("capture");
  (*result)["model"] = (*target)->identity.model_id;
  if ((*target)->identity.synthetic_weights) (*result)["notice"] = std::string(kSyntheticWeightsNotice);
  HELIX_TRY(run->Commit(*result, **target, env, options.out));
  return result;
}

}  // namespace helix::tracks
