#include "core/tracks/track_b/hosted_equivalence.h"

#include <algorithm>

#include "core/backend/find_engine.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/net/endpoint_policy.h"
#include "core/tracks/run_id.h"
#include "core/tracks/track_b/cost_result.h"
#include "core/tracks/track_b/managed_target.h"
#include "core/tracks/track_b/repeat_record.h"
#include "core/tracks/track_b/track_b_report.h"

namespace helix::tracks {
namespace {

constexpr int kUsualPrefix = 1024;
constexpr double kAboveMinimum = 1.25;  // the estimate of tokens from characters can be that far off
constexpr int kTemplateAndQuestion = 400;

ColdMeans MeansFor(const TrackBTarget& target) {
  const bool chat = target.client.protocol == backend::Protocol::kOpenAiChat;
  if (target.answerer == backend::Answerer::kLlamaServer) return chat ? ColdMeans::kSwitch : ColdMeans::kSalt;
  return target.client.takes_markers ? ColdMeans::kUnmarked : ColdMeans::kSalt;
}

Result<RepeatOptions> OptionsFor(const HostedEquivalenceRequest& request) {
  auto out = RepeatProfile(request.profile);
  if (!out)
    return Fail(ErrorCode::kInvalidArgument, "unknown profile " + request.profile,
                "quick, standard or thorough");
  out->prompts = request.prompts.value_or(out->prompts);
  out->repeats = request.repeats.value_or(out->repeats);
  out->output_tokens = request.output_tokens.value_or(out->output_tokens);
  out->prefix_tokens = request.prefix_tokens.value_or(kUsualPrefix);
  out->temperature = request.temperature;
  out->seed = request.seed;
  HELIX_TRY(CheckRepeats(*out));
  return *out;
}

// A prefix below the model's minimum is never cached; one that a slot does not hold is cut by the server.
void FitPrefix(const HostedEquivalenceRequest& request, TrackBTarget& target, RepeatOptions& options) {
  if (const auto least = backend::MinimumPrefix(cost::BareModelId(target.model));
      least && !request.prefix_tokens)
    options.prefix_tokens = std::max(options.prefix_tokens, static_cast<int>(*least * kAboveMinimum));
  if (!target.context_tokens) return;
  const auto room = static_cast<int>(std::min<std::int64_t>(*target.context_tokens, 1 << 24)) -
                    options.output_tokens - kTemplateAndQuestion;
  if (room >= options.prefix_tokens) return;
  options.prefix_tokens = std::max(room, 64);
  target.notices.push_back("The prefix was shortened to " + std::to_string(options.prefix_tokens) +
                           " tokens: a slot of this server holds " + std::to_string(*target.context_tokens) +
                           ".");
}

// An engine on this machine that answers on its own routes costs nothing; a gateway before a paid API does
// not answer there.
void AdoptLocalEngine(TrackBTarget& target, const Settings& settings, const RunContext& context) {
  if (target.free || target.profile != nullptr || target.answerer != backend::Answerer::kUnknown) return;
  const auto endpoint = net::ParseEndpoint(target.client.base.origin);
  if (!endpoint || !net::IsLoopback(*endpoint)) return;
  const auto key = settings.from_agent ? std::nullopt : settings.api_key;
  auto found = backend::FindEngine({target.client.base.origin, key, target.model}, context);
  if (!found) return;
  const std::string& kind = found->identity.kind;
  if (kind != "vllm" && kind != "sglang" && kind != "ollama") return;
  target.free = true;
  target.client.takes_markers = false;
  target.client.check_model = false;
  target.label = (target.client.protocol == backend::Protocol::kOpenAiChat ? "openai" : "anthropic") +
                 ("-compatible (" + kind + ")");
  if (key) target.client.credentials = {*key, "HELIX_LLM_API_KEY", true};
}

// The kind of failure in our own words: a server's words do not go into a record that must not say more than
// was measured.
std::string Stopped(const TrackBRun& run, std::size_t planned) {
  if (run.stopped.empty()) return {};
  const std::string count =
      std::to_string(run.calls.size()) + " of " + std::to_string(planned) + " calls were made";
  if (run.calls.empty() || run.calls.back().reply.ok)
    return count + ": the budget of the day does not allow more";
  return count + ": the last ended with " + run.calls.back().reply.failure;
}

Json AnswerOf(const TrackBRun& run, const RepeatOptions& options, const TrackBTarget& target,
              std::size_t planned) {
  const RepeatFacts facts{options, target.template_tokens.value_or(0), target.synthetic_weights};
  Json out = RepeatResult(AnswersOf(run, options.repeats), facts);
  out["synthetic"] = false;
  out["profile"] = options.profile;
  out["label"] = target.label;
  out["route"] = target.route;
  out["model"] = target.model;
  out["weights"] = target.synthetic_weights ? "synthetic" : "real";
  out["cost"] = CostResult(run, target);
  out["notices"] = target.notices;
  if (auto stopped = Stopped(run, planned); !stopped.empty()) out["stopped"] = std::move(stopped);
  return out;
}

struct Job {
  const HostedEquivalenceRequest& request;
  TrackBTarget& target;
  RepeatOptions repeats;
  TrackBOptions options;  // model and characters per token
  std::vector<PlannedCall> plan;
  const Spending* spending = nullptr;
};

Result<Json> Store(evidence::RunStore& store, const std::string& run_id, Json record, Json answer,
                   const std::vector<std::string>& digests, const std::string& out) {
  record["evidence_objects"] = digests;
  auto stored = store.Commit(run_id, std::move(record), digests);
  if (!stored) return tl::make_unexpected(stored.error());
  if (!out.empty()) {
    auto bytes = ReadFile(stored->path);
    if (!bytes) return tl::make_unexpected(bytes.error());
    HELIX_TRY(WriteFileAtomic(out, *bytes));
  }
  answer["report_path"] = stored->path;
  answer["report_sha256"] = stored->sha256;
  return answer;
}

Result<Json> RunAndStore(Job& job, const Settings& settings, const RunContext& context) {
  auto store = evidence::RunStore::Open(settings.report_dir);
  if (!store) return tl::make_unexpected(store.error());
  const Json plan = PlanJson(job.repeats, job.options);
  const std::string plan_sha256 = evidence::Sha256Hex(evidence::CanonicalJson(plan));
  const std::string run_id = RunId("eq", plan_sha256, SteadyNowNs());
  HELIX_TRY(store->Begin(run_id, plan_sha256));
  backend::HostedClient client(job.target.client);
  const int settle_ms = job.target.profile != nullptr ? job.target.profile->settle_ms : 0;
  auto run = RunCalls(job.plan, job.options, settle_ms, client, job.spending, context);
  if (!run) return tl::make_unexpected(run.error());
  auto digests = StoreReplies(store->objects(), *run);
  if (!digests) return tl::make_unexpected(digests.error());
  Json answer = AnswerOf(*run, job.repeats, job.target, job.plan.size());
  Json record = RepeatRecord(answer, *run, plan, job.target);
  record["plan_sha256"] = plan_sha256;
  return Store(*store, run_id, std::move(record), std::move(answer), *digests, job.request.out);
}

Result<Json> RunManaged(const HostedEquivalenceRequest& request, const RepeatOptions& repeats,
                        const Settings& settings, const EnvReader& env, const RunContext& context) {
  TrackBOptions size;
  size.prefix_tokens = repeats.prefix_tokens;
  size.output_tokens = repeats.output_tokens;
  return OnManagedTarget(size, settings, env, context, [&](const std::string& base_url) {
    HostedEquivalenceRequest local = request;
    local.managed = false;
    local.target.endpoint = base_url;
    return RunHostedEquivalence(local, settings, env, context);
  });
}

}  // namespace

Result<Json> RunHostedEquivalence(const HostedEquivalenceRequest& request, const Settings& settings,
                                  const EnvReader& env, const RunContext& context) {
  auto repeats = OptionsFor(request);
  if (!repeats) return tl::make_unexpected(repeats.error());
  if (request.managed) return RunManaged(request, *repeats, settings, env, context);
  auto found = FindTrackBTarget(request.target, settings, env, context);
  if (!found) return tl::make_unexpected(found.error());
  if (const auto* skip = std::get_if<Skip>(&*found)) return skip->ToJson();
  auto& target = std::get<TrackBTarget>(*found);
  AdoptLocalEngine(target, settings, context);
  FitPrefix(request, target, *repeats);
  repeats->cold = MeansFor(target);
  Job job{request, target, *repeats, {}, {}, nullptr};
  job.options.model = target.model;
  job.options.chars_per_token = target.chars_per_token.value_or(job.options.chars_per_token);
  job.plan = PlanRepeats(job.repeats, job.options);
  if (target.free) return RunAndStore(job, settings, context);
  auto permitted = PermitSpending(request.spend, target, job.plan, job.options, settings);
  if (!permitted) return tl::make_unexpected(permitted.error());
  if (const auto* skip = std::get_if<Skip>(&*permitted)) return skip->ToJson();
  job.spending = &std::get<SpendPermission>(*permitted).spending;
  return RunAndStore(job, settings, context);
}

}  // namespace helix::tracks
