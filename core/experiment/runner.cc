#include "core/experiment/runner.h"

#include "core/evidence/digest.h"
#include "core/experiment/slot_model.h"
#include "core/experiment/traffic_watch.h"

namespace helix::experiment {
namespace {

constexpr Millis kIdleAfterCancel{1500};

class Runner {
 public:
  Runner(backend::Backend& backend, const Plan& plan, const Workload& workload, const RunOptions& options,
         const RunContext& context)
      : backend_(backend),
        plan_(plan),
        workload_(workload),
        options_(options),
        context_(context),
        slot_(backend.capabilities().block_size),
        watch_(backend, context),
        boot_at_start_(backend.boot_id()) {}

  Result<RunRecord> All() {
    record_.traffic_source = watch_.source();
    for (std::size_t i = 0; i < plan_.calls.size(); ++i) {
      const Call& call = plan_.calls[i];
      context_.Report(static_cast<double>(i), static_cast<double>(plan_.calls.size()),
                      "pair " + std::to_string(call.pair + 1) + " of " +
                          std::to_string(workload_.pairs.size()) + ": " + std::string(ArmName(call.arm)));
      HELIX_TRY(One(static_cast<int>(i), call));
    }
    return std::move(record_);
  }

 private:
  std::vector<TokenId> PromptOf(const Call& call) const {
    const PairPrompt& pair = workload_.pairs[static_cast<std::size_t>(call.pair)];
    if (call.arm == Arm::kPrime) return pair.Prefix();
    return call.arm == Arm::kControl ? pair.control : pair.prompt;
  }

  backend::GenerateRequest RequestOf(const Call& call) const {
    backend::GenerateRequest request;
    request.prompt = PromptOf(call);
    request.output_tokens = IsTimed(call.arm) ? plan_.shape.output_tokens : 1;
    request.use_cache = UsesCache(call.arm);
    request.stream = IsTimed(call.arm);
    request.slot = options_.slot;
    request.timeout = options_.call_timeout;
    return request;
  }

  // The warm arm is held to the whole prefix, whatever happened before it; the others to what the slot holds.
  std::int64_t ExpectedOf(const Call& call, const backend::GenerateRequest& request) const {
    if (!request.use_cache) return 0;
    if (call.arm != Arm::kOn) return slot_.Expected(request.prompt);
    const int block = backend_.capabilities().block_size;
    return workload_.pairs[static_cast<std::size_t>(call.pair)].prefix_tokens / block * block;
  }

  Sample Planned(int seq, const Call& call, const backend::GenerateRequest& request) const {
    Sample sample;
    sample.seq = seq;
    sample.call = call;
    sample.expected_cached = ExpectedOf(call, request);
    sample.lcp_prev = slot_.LongestSeen(request.prompt);
    sample.prompt_sha256 = TokensSha256(request.prompt);
    sample.params_sha256 = evidence::Sha256Hex(DumpJson(backend_.Parameters(request)));
    sample.streamed = request.stream;
    sample.boot_id = backend_.boot_id();
    return sample;
  }

  Status One(int seq, const Call& call) {
    const backend::GenerateRequest request = RequestOf(call);
    Sample sample = Planned(seq, call, request);
    if (!record_.stopped_because.empty()) {
      sample.status = SampleStatus::kNotRun;
      sample.error = record_.stopped_because;
      record_.samples.push_back(std::move(sample));
      return {};
    }
    if (context_.Cancelled()) return Cancelled();
    auto settled = watch_.Settle(options_.idle_timeout, context_);
    sample.t_send_ns = options_.now();
    auto reply =
        settled ? backend_.Generate(request, context_) : tl::make_unexpected(std::move(settled.error()));
    if (!reply && reply.error().code == ErrorCode::kCancelled) return Cancelled();
    if (reply) {
      Finished(request, std::move(*reply), sample);
    } else {
      Failed(request, reply.error(), sample);
    }
    record_.samples.push_back(std::move(sample));
    return {};
  }

  void Finished(const backend::GenerateRequest& request, backend::GenerateReply reply, Sample& sample) {
    sample.t_send_ns = reply.t_send_ns;
    sample.traffic = watch_.Beyond(reply, context_);
    slot_.Finished(request.prompt, reply.has_token_ids ? reply.tokens : std::vector<TokenId>{});
    sample.reply = std::move(reply);
    LabelFacts facts;
    facts.cached_tokens = sample.reply.cached_tokens;
    facts.expected_cached = sample.expected_cached;
    facts.prefix_tokens = plan_.shape.prefix_tokens;
    // A control call may find the few tokens that every prompt starts with.
    facts.cold_allowance = sample.call.arm == Arm::kControl
                               ? std::max(options_.cold_allowance, sample.expected_cached)
                               : options_.cold_allowance;
    facts.other_traffic = !sample.traffic.is_null();
    sample.verified = Verify(sample.call.arm, facts);
  }

  // After a failure the server may still be working, may be another process, or may be gone.
  void Failed(const backend::GenerateRequest& request, const Error& error, Sample& sample) {
    sample.status = error.code == ErrorCode::kTimeout ? SampleStatus::kTimeout : SampleStatus::kError;
    sample.error = error.Text();
    slot_.Failed(request.prompt);
    if (auto idle = backend_.WaitIdle(options_.idle_timeout, context_); !idle) {
      if (idle.error().code != ErrorCode::kCancelled) record_.stopped_because = idle.error().Text();
      return;
    }
    watch_.Restart(context_);
    if (auto again = backend_.Identify(context_); !again) record_.stopped_because = again.error().Text();
    record_.boot_changed = record_.boot_changed || backend_.boot_id() != boot_at_start_;
  }

  Status Cancelled() {
    backend_.WaitIdle(kIdleAfterCancel, RunContext{});
    return Fail(ErrorCode::kCancelled, "the run was cancelled; no report was written");
  }

  backend::Backend& backend_;
  const Plan& plan_;
  const Workload& workload_;
  const RunOptions& options_;
  const RunContext& context_;
  SlotModel slot_;
  TrafficWatch watch_;
  std::string boot_at_start_;
  RunRecord record_;
};

}  // namespace

Result<RunRecord> Run(backend::Backend& backend, const Plan& plan, const Workload& workload,
                      const RunOptions& options, const RunContext& context) {
  return Runner(backend, plan, workload, options, context).All();
}

}  // namespace helix::experiment
