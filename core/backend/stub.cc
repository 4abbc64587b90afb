#include "core/backend/stub.h"

#include <algorithm>
#include <cmath>

#include "core/backend/llama_request.h"

namespace helix::backend {

Stub::Stub(StubOptions options) : options_(std::move(options)), random_(options_.seed) {}

Result<Identity> Stub::Identify(const RunContext& /*context*/) {
  Identity identity;
  identity.kind = "stub";
  identity.endpoint = "stub:";
  identity.build = "stub-1";
  identity.model_id = "stub";
  identity.context_per_slot = options_.context;
  return identity;
}

Capabilities Stub::capabilities() const {
  Capabilities can;
  can.token_ids_in = can.token_ids_out = can.logprobs = can.tokenizer = can.metrics = can.slots = true;
  can.cached_count = can.zero_is_reported = can.prefill_time = !options_.faults.hides_counters;
  can.cold_methods = {ColdMethod::kPerRequestSwitch};
  return can;
}

Result<std::vector<TokenId>> Stub::Tokenize(const std::string& text, bool add_special,
                                            const RunContext& /*context*/) {
  std::vector<TokenId> ids;
  if (add_special) ids.push_back(0);
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c) + 1);
  return ids;
}

std::int64_t Stub::Reused(const GenerateRequest& request) const {
  const StubFaults& faults = options_.faults;
  if (faults.never_reuses || (!request.use_cache && !faults.ignores_the_switch)) return 0;
  const auto ends = std::mismatch(slot_.begin(), slot_.end(), request.prompt.begin(), request.prompt.end());
  std::int64_t shared = ends.second - request.prompt.begin();
  shared = std::min<std::int64_t>(shared, static_cast<std::int64_t>(request.prompt.size()) - 1);
  return faults.reuses_at_most >= 0 ? std::min(shared, faults.reuses_at_most) : shared;
}

double Stub::Noisy(double value) {
  double normal = -6;  // the sum of twelve uniforms is close enough to a normal for a fake
  for (int i = 0; i < 12; ++i) normal += random_.Unit();
  return value * std::exp(options_.noise_sigma * normal);
}

void Stub::Time(const GenerateRequest& request, std::int64_t processed, GenerateReply& reply) {
  const auto all = static_cast<std::int64_t>(request.prompt.size());
  const double worked = static_cast<double>(options_.faults.claims_reuse_only ? all : processed);
  const double prefill = Noisy(0.3 + worked * options_.prefill_us_per_token / 1000);
  const double decode = Noisy((request.output_tokens - 1) * options_.decode_us_per_token / 1000);
  reply.prefill_ms = {prefill, Origin::kServer};
  reply.decode_ms = {decode, Origin::kServer};
  reply.t_send_ns = now_ns_;
  const auto ttft = static_cast<std::int64_t>((prefill + Noisy(0.4)) * 1e6);
  if (request.stream) reply.ttft_ns = {ttft, Origin::kClient};
  if (request.stream) reply.first_event_tokens = {1, Origin::kServer};
  reply.total_ns = ttft + static_cast<std::int64_t>((decode + Noisy(0.2)) * 1e6);
  now_ns_ += reply.total_ns + static_cast<std::int64_t>(Noisy(0.1) * 1e6);
}

// A hash of everything before it decides each token: another prompt gives another answer, and an answer goes
// on as it began.
std::vector<TokenId> Stub::Answer(const GenerateRequest& request, bool reused) const {
  std::uint64_t state = 0x9E3779B97F4A7C15ULL;
  const auto see = [&state](TokenId id) {
    state = SplitMix64(state ^ static_cast<std::uint64_t>(id)).Next();
  };
  for (const TokenId id : request.prompt) see(id);
  if (reused && options_.faults.corrupts_reused_output) state ^= 1;
  std::vector<TokenId> ids(static_cast<std::size_t>(request.output_tokens));
  for (TokenId& id : ids) {
    id = static_cast<TokenId>(33 + SplitMix64(state).Below(94));
    see(id);
  }
  return ids;
}

namespace {

// The taken token leads clearly; the others follow it in the alphabet.
std::vector<TokenLogprobs> StubLogprobs(const std::vector<TokenId>& tokens, int top) {
  std::vector<TokenLogprobs> out;
  if (top <= 0) return out;
  for (const TokenId id : tokens) {
    TokenLogprobs position{id, -0.1, {}};
    for (int i = 0; i < top; ++i) {
      const TokenId other = 33 + (id - 33 + i) % 94;
      position.top.push_back({other, std::string(1, static_cast<char>(other - 1)), -0.1 - 2.5 * i});
    }
    out.push_back(std::move(position));
  }
  return out;
}

}  // namespace

Result<GenerateReply> Stub::Generate(const GenerateRequest& request, const RunContext& context) {
  if (context.Cancelled()) return Fail(ErrorCode::kCancelled, "cancelled");
  const int call = calls_++;
  const StubFaults& faults = options_.faults;
  if (faults.dies_at_call >= 0 && call >= faults.dies_at_call) {
    return Fail(ErrorCode::kUnavailable, "the stub was told to stop answering");
  }
  if (faults.fails_at_call.contains(call))
    return Fail(ErrorCode::kProtocol, "the stub was told to fail this call");
  if (request.prompt.empty() || request.output_tokens < 1) {
    return Fail(ErrorCode::kInvalidArgument, "expected a prompt and at least one output token");
  }
  return Worked(request, call);
}

GenerateReply Stub::Worked(const GenerateRequest& request, int call) {
  const StubFaults& faults = options_.faults;
  GenerateReply reply;
  const auto all = static_cast<std::int64_t>(request.prompt.size());
  const std::int64_t reused = Reused(request);
  Time(request, all - reused, reply);
  if (!faults.hides_counters) {
    reply.prompt_tokens = {all, Origin::kServer};
    reply.cached_tokens = {reused, Origin::kServer};
    reply.processed_tokens = {all - reused, Origin::kServer};
  }
  reply.output_tokens = {request.output_tokens, Origin::kServer};
  reply.tokens = Answer(request, reused > 1);
  reply.has_token_ids = true;
  reply.logprobs = StubLogprobs(reply.tokens, request.stream ? 0 : request.top_logprobs);
  for (const TokenId id : reply.tokens) reply.text.push_back(static_cast<char>(id - 1));
  reply.finish = "length";
  reply.slot = request.slot;
  reply.model = "stub";
  reply.request_body = DumpJson(LlamaCompletionBody(request));
  reply.response_body = DumpJson({{"stub_call", call}, {"content", reply.text}});
  slot_ = request.prompt;
  slot_.insert(slot_.end(), reply.tokens.begin(), reply.tokens.end() - 1);
  processed_total_ += all - reused;
  cached_total_ += reused;
  predicted_total_ += request.output_tokens;
  if (faults.foreign_work_at_call.contains(call)) processed_total_ += 77;
  return reply;
}

Json Stub::Parameters(const GenerateRequest& request) const {
  return LlamaSamplingParams(request);
}

bool Stub::Dead() const {
  return options_.faults.dies_at_call >= 0 && calls_ > options_.faults.dies_at_call;
}

Status Stub::WaitIdle(Millis /*timeout*/, const RunContext& /*context*/) {
  if (Dead()) return Fail(ErrorCode::kUnavailable, "the stub was told to stop answering");
  return {};
}

Result<Json> Stub::Metrics(const RunContext& /*context*/) {
  return Json{{"stub:processed", processed_total_},
              {"stub:cached", cached_total_},
              {"stub:predicted", predicted_total_}};
}

Result<WorkCounters> Stub::Work(const RunContext& /*context*/) {
  if (Dead()) return Fail(ErrorCode::kUnavailable, "the stub was told to stop answering");
  return WorkCounters{processed_total_, cached_total_, predicted_total_};
}

Result<std::int64_t> Stub::RoundTripNs(const RunContext& /*context*/) {
  return 20'000;
}

}  // namespace helix::backend
