#include "core/tracks/equivalence_check.h"

#include <algorithm>
#include <set>

#include "core/backend/configured_server.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/equivalence/control_servers.h"
#include "core/equivalence/oracle_report.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "core/net/silence_limit.h"
#include "core/tracks/run_id.h"

namespace helix::tracks {
namespace {

// Conversation, canary and repeats, which are not cut to fit, need no more.
constexpr std::int64_t kLeastContext = 768;

// A handful of tokens; a server that does not answer them is not worth the wait for more.
constexpr Millis kProbeLimit{30'000};
// One answer of the check, which is not streamed: nothing comes before it is whole.
constexpr Millis kAnswerLimit{120'000};

Error Silent(Error error) {
  if (error.code == ErrorCode::kTimeout)
    error.hint = std::string("see whether the server works on anything; where it is only slow, set ") +
                 net::kSilenceVariable + " to more seconds";
  return error;
}

Result<equivalence::OracleOptions> OptionsFor(const EquivalenceCheckOptions& options) {
  equivalence::OracleOptions out;
  if (options.profile == "quick") {
    out = equivalence::QuickOptions();
  } else if (options.profile == "standard") {
    out = equivalence::StandardOptions();
  } else if (options.profile == "thorough") {
    out = equivalence::StandardOptions();
    out.profile = "thorough";
    out.shapes.prompts = 59;  // no mismatch in 59 supports a rate below 5 %
    out.conversation.turns = 6;
  } else {
    return Fail(ErrorCode::kInvalidArgument, "unknown profile " + options.profile,
                "quick, standard or thorough");
  }
  if (options.prompts) out.shapes.prompts = *options.prompts;
  if (options.output_tokens) out.shapes.output_tokens = *options.output_tokens;
  if (out.shapes.prompts < 1 || out.shapes.prompts > 1000) {
    return Fail(ErrorCode::kInvalidArgument, "prompts must be 1 to 1000");
  }
  if (out.shapes.output_tokens < 16 || out.shapes.output_tokens > 4096) {
    return Fail(ErrorCode::kInvalidArgument, "output_tokens must be 16 to 4096",
                "fewer than 16 equal tokens are no evidence");
  }
  out.seed = options.seed;
  return out;
}

// A fresh arm must see the same prompt: a nonce or salt in front of it makes another one.
bool HasPlainColdArm(const backend::Capabilities& capabilities) {
  return std::any_of(
      capabilities.cold_methods.begin(), capabilities.cold_methods.end(), [](backend::ColdMethod method) {
        return method == backend::ColdMethod::kPerRequestSwitch || method == backend::ColdMethod::kFlush ||
               method == backend::ColdMethod::kRestart;
      });
}

// One short request: what a server reports is learnt from its replies.
Result<std::optional<Skip>> CheckCapabilities(backend::Backend& backend, const RunContext& context) {
  auto tokens = backend.Tokenize("what a server reports is learnt from its replies", true, context);
  if (!tokens) return tl::make_unexpected(std::move(tokens.error()));
  backend::GenerateRequest probe;
  probe.prompt = *tokens;
  probe.use_cache = false;
  probe.timeout = kProbeLimit;
  auto reply = backend.Generate(probe, context);
  if (!reply) return tl::make_unexpected(Silent(std::move(reply.error())));
  if (!reply->cached_tokens.present()) {
    return std::optional(MakeSkip("unsupported_counter", "the reply does not say how many tokens were reused",
                                  "the server reports reused tokens, also when there are none"));
  }
  if (!HasPlainColdArm(backend.capabilities())) {
    return std::optional(MakeSkip("cold_not_possible",
                                  "this server cannot be asked to compute a prompt from nothing",
                                  "the server has a per-request switch or a flush for its cache"));
  }
  return std::optional<Skip>();
}

Status FitToServer(equivalence::OracleOptions& options, const Target& target) {
  options.server_ubatch = target.startup.ubatch.value_or(0);
  options.block_size = target.backend->capabilities().block_size;
  options.context_per_slot = target.identity.context_per_slot;
  if (options.profile != "quick")
    equivalence::AddServerBoundaries(options.shapes, options.block_size, options.server_ubatch);
  if (options.profile == "thorough")  // long prompts: too dear for every run
    equivalence::AddServerBoundaries(options.shapes, target.startup.batch.value_or(0), 0);
  if (options.context_per_slot <= 0) return {};
  if (options.context_per_slot < kLeastContext) {
    return Fail(ErrorCode::kInvalidArgument,
                "the server's slots hold " + std::to_string(options.context_per_slot) +
                    " tokens; the check needs " + std::to_string(kLeastContext),
                "start the server with a larger -c");
  }
  return equivalence::FitToContext(options.shapes, options.context_per_slot);
}

void AddTargetFacts(const Target& target, Json& out) {
  out["synthetic"] = false;
  out["weights"] = target.identity.synthetic_weights ? "synthetic" : "real";
  out["model"] = target.identity.model_id;
  for (const std::string& notice : target.notices) out["notices"].push_back(notice);
  if (target.flags.is_null()) return;
  out["server_context"] = backend::ToJson(target.startup);
  out["server_context"]["source"] = "the log of the server that was started";
}

std::string PlanSha256(const equivalence::OracleOptions& oracle) {
  return evidence::Sha256Hex(evidence::CanonicalJson(equivalence::PlanJson(oracle)));
}

Result<Json> Store(evidence::RunStore& store, const std::string& run_id, const Target& target,
                   const equivalence::OracleResult& result, const equivalence::OracleOptions& oracle,
                   const std::set<std::string>& kept, const std::string& out) {
  Json record = equivalence::RecordJson(result, oracle, target.identity);
  record["flags"] = target.flags;
  record["weights_sha256"] = target.weights_sha256;
  AddTargetFacts(target, record);
  record["evidence_objects"] = kept;
  record["plan_sha256"] = PlanSha256(oracle);
  auto stored = store.Commit(run_id, std::move(record), {kept.begin(), kept.end()});
  if (!stored) return tl::make_unexpected(std::move(stored.error()));
  if (!out.empty()) {
    auto bytes = ReadFile(stored->path);
    if (!bytes) return tl::make_unexpected(std::move(bytes.error()));
    HELIX_TRY(WriteFileAtomic(out, *bytes));
  }
  Json answer = equivalence::ResultJson(result, oracle);
  AddTargetFacts(target, answer);
  answer["report_path"] = stored->path;
  answer["report_sha256"] = stored->sha256;
  return answer;
}

}  // namespace

Result<Json> RunEquivalenceCheckOn(Target& target, const EquivalenceCheckOptions& options,
                                   equivalence::ServerWithUbatch control, const Settings& settings,
                                   const RunContext& context) {
  auto oracle = OptionsFor(options);
  if (!oracle) return tl::make_unexpected(std::move(oracle.error()));
  auto skip = CheckCapabilities(*target.backend, context);
  if (!skip) return tl::make_unexpected(std::move(skip.error()));
  if (*skip) return (*skip)->ToJson();
  HELIX_TRY(FitToServer(*oracle, target));
  oracle->control_server = std::move(control);
  auto store = evidence::RunStore::Open(settings.report_dir);
  if (!store) return tl::make_unexpected(std::move(store.error()));
  std::set<std::string> kept;  // of controls and repeats too, which the cases do not name
  oracle->evidence = [&](const std::string& bytes) {
    auto digest = store->objects().Put(bytes);
    if (digest) kept.insert(*digest);
    return digest;
  };
  const std::string plan_sha256 = PlanSha256(*oracle);
  const std::string run_id = RunId("eq", plan_sha256, SteadyNowNs());
  HELIX_TRY(store->Begin(run_id, plan_sha256));
  auto result = equivalence::RunOracle(*target.backend, target.identity, *oracle, context);
  if (!result) return tl::make_unexpected(Silent(std::move(result.error())));
  return Store(*store, run_id, target, *result, *oracle, kept, options.out);
}

namespace {

// A managed server is given room for the answers that were asked for.
TargetRequest TargetFor(const EquivalenceCheckOptions& options) {
  constexpr int kPrompts = 1024;
  TargetRequest out = options.target;
  out.log_startup = true;
  out.silence_limit = kAnswerLimit;
  out.context_tokens = std::max(out.context_tokens, options.output_tokens.value_or(0) + kPrompts);
  return out;
}

// The control's servers are started as the managed target is: same program, model and flags.
Result<backend::ManagedServerOptions> ControlOptions(const TargetRequest& request, Settings settings) {
  if (request.server) settings.llama_server = request.server;
  if (request.model_file) settings.model_file = request.model_file;
  auto out = backend::ConfiguredServer(settings, ProcessEnvironment());
  if (!out) return Fail(ErrorCode::kNotFound, "the managed server went away: " + out.error().reason);
  out->flags.context = request.context_tokens;
  out->flags.log_startup = request.log_startup;
  return std::move(*out);
}

}  // namespace

Result<Json> RunEquivalenceCheck(const EquivalenceCheckOptions& options, const Settings& settings,
                                 const RunContext& context) {
  if (auto checked = OptionsFor(options); !checked) return tl::make_unexpected(std::move(checked.error()));
  auto opened = OpenTarget(TargetFor(options), settings, context);
  if (!opened) return tl::make_unexpected(std::move(opened.error()));
  if (const Skip* skip = std::get_if<Skip>(&*opened)) return skip->ToJson();
  auto& target = std::get<Target>(*opened);
  if (!options.target.managed) return RunEquivalenceCheckOn(target, options, {}, settings, context);
  auto server = ControlOptions(TargetFor(options), settings);
  if (!server) return tl::make_unexpected(std::move(server.error()));
  equivalence::ControlServers controls(std::move(*server));
  const auto control = [&](std::int64_t ubatch, const RunContext& inner) {
    return controls.WithUbatch(ubatch, inner);
  };
  return RunEquivalenceCheckOn(target, options, control, settings, context);
}

}  // namespace helix::tracks
