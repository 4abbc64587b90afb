#include "tests/fakes/toy_backend.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "core/base/json.h"

namespace helix::fakes {
namespace {

using backend::GenerateReply;
using backend::GenerateRequest;

constexpr int kLargeBatch = 8;

Kernel KernelFor(const ToyShape& shape, std::size_t rows) {
  Kernel kernel;
  kernel.threads = shape.threads;
  kernel.partial_sums = shape.shape_sensitive && rows >= kLargeBatch ? 8 : 4;
  return kernel;
}

std::vector<float> LogSoftmax(const std::vector<float>& logits) {
  const float highest = *std::max_element(logits.begin(), logits.end());
  double total = 0;
  for (const float x : logits) total += std::exp(static_cast<double>(x) - highest);
  const auto shift = static_cast<float>(highest + std::log(total));
  std::vector<float> out = logits;
  for (float& x : out) x -= shift;
  return out;
}

std::string PieceOf(TokenId id) {
  return std::string(1, static_cast<char>('0' + id));
}

backend::TokenLogprobs TopOf(const std::vector<float>& logprobs, TokenId taken, int count) {
  std::vector<TokenId> order(logprobs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](TokenId a, TokenId b) { return logprobs[a] > logprobs[b]; });
  backend::TokenLogprobs out;
  out.id = taken;
  out.logprob = logprobs[taken];
  for (int i = 0; i < std::min<int>(count, static_cast<int>(order.size())); ++i) {
    out.top.push_back({order[i], PieceOf(order[i]), logprobs[order[i]]});
  }
  return out;
}

Status CheckRequest(const GenerateRequest& request) {
  if (request.prompt.empty()) return Fail(ErrorCode::kInvalidArgument, "the prompt is empty");
  for (const TokenId id : request.prompt) {
    if (id < 0 || id >= kToyVocabulary)
      return Fail(ErrorCode::kInvalidArgument, "a token is outside the vocabulary");
  }
  return {};
}

}  // namespace

ToyBackend::ToyBackend(ToyOptions options) : options_(options), model_(options.seed) {
  static std::atomic<int> started = 0;
  number_ = ++started;
}

Result<backend::Identity> ToyBackend::Identify(const RunContext&) {
  backend::Identity out;
  out.kind = "toy";
  out.endpoint = "memory:toy";
  out.build = "toy-1";
  out.model_id = "toy";
  out.synthetic_weights = true;
  out.slots = 2;
  out.context_per_slot = 4096;
  return out;
}

backend::Capabilities ToyBackend::capabilities() const {
  backend::Capabilities out;
  out.token_ids_in = out.tokenizer = out.slots = true;
  out.token_ids_out = !options_.no_token_ids;
  out.logprobs = out.cached_count = out.zero_is_reported = true;
  out.cold_methods = {backend::ColdMethod::kPerRequestSwitch};
  return out;
}

Result<std::vector<TokenId>> ToyBackend::Tokenize(const std::string& text, bool, const RunContext&) {
  std::vector<TokenId> out;
  for (const char c : text) out.push_back(static_cast<unsigned char>(c) % kToyVocabulary);
  return out;
}

std::size_t ToyBackend::Match(const Slot& slot, const std::vector<TokenId>& prompt) const {
  std::size_t n = 0;
  bool forgiven = options_.mutant != ToyMutant::kStalePrefix;
  while (n < std::min(slot.tokens.size(), prompt.size() - 1)) {
    if (slot.tokens[n] != prompt[n]) {
      if (forgiven) break;
      forgiven = true;
    }
    ++n;
  }
  return std::min(n, slot.cells.size());
}

// Makes the slot hold what the request will reuse, with whatever is wrong with it.
void ToyBackend::Attach(Slot& slot, Run& run) {
  run.banned =
      options_.mutant == ToyMutant::kCarriedSampler && run.reused > 0 ? slot.tokens : std::vector<TokenId>();
  if (run.banned.size() > 32) run.banned.erase(run.banned.begin(), run.banned.end() - 32);
  slot.cells.resize(run.reused);
  if (run.reused == 0) return;
  MutateCells(options_.mutant, options_.seed, slot.tokens, slot.cells);
  if (options_.mutant == ToyMutant::kSwappedTemplate) {
    TokenId& marker = run.prompt[run.reused];
    marker = (marker + 1) % kToyVocabulary;
  }
  if (options_.mutant == ToyMutant::kOneTooMany && run.reused + 1 < run.prompt.size()) ++run.reused;
  if (options_.mutant == ToyMutant::kOneTwice) --run.reused;
  if (options_.restart_before_reuse) {
    slot.cells = RestoreCells(SaveCells(slot.cells));
    model_ = ToyModel(options_.seed);
  }
}

void ToyBackend::Prefill(Slot& slot, Run& run) const {
  const bool skips = options_.mutant == ToyMutant::kReusedLogits && run.reused > 0;
  const std::size_t end = run.prompt.size() - (skips ? 1 : 0);
  for (std::size_t start = run.reused; start < end; start += static_cast<std::size_t>(run.shape.ubatch)) {
    const std::size_t stop = std::min(end, start + static_cast<std::size_t>(run.shape.ubatch));
    for (std::size_t i = start; i < stop; ++i) {
      run.logits =
          model_.Step(run.prompt[i], static_cast<int>(i), slot.cells, KernelFor(run.shape, stop - start));
    }
  }
  if (skips) run.logits = slot.last_logits;
}

TokenId ToyBackend::Take(const Run& run, const std::vector<float>& logprobs) {
  if (options_.fresh_is_noisy && run.reused == 0) {
    return static_cast<TokenId>((serial_ * 31 + static_cast<int>(logprobs[0] * 1000)) & (kToyVocabulary - 1));
  }
  TokenId best = -1;
  for (TokenId id = 0; id < kToyVocabulary; ++id) {
    if (std::find(run.banned.begin(), run.banned.end(), id) != run.banned.end()) continue;
    if (best < 0 || logprobs[id] > logprobs[best]) best = id;
  }
  return best < 0 ? 0 : best;
}

void ToyBackend::Decode(const GenerateRequest& request, Slot& slot, Run& run, GenerateReply& reply) {
  for (int i = 0; i < request.output_tokens; ++i) {
    const std::vector<float> logprobs = LogSoftmax(run.logits);
    const TokenId id = Take(run, logprobs);
    reply.tokens.push_back(id);
    reply.text += PieceOf(id);
    if (request.top_logprobs > 0) reply.logprobs.push_back(TopOf(logprobs, id, request.top_logprobs));
    if (i + 1 == request.output_tokens) break;
    const auto position = static_cast<int>(run.prompt.size()) + i;
    run.logits = model_.Step(id, position, slot.cells, KernelFor(run.shape, 1));
  }
}

Result<GenerateReply> ToyBackend::Generate(const GenerateRequest& request, const RunContext& context) {
  HELIX_TRY(CheckRequest(request));
  if (context.Cancelled()) return Fail(ErrorCode::kCancelled, "cancelled");
  ++serial_;
  Slot& slot = slots_[request.slot];
  Run run;
  run.prompt = request.prompt;
  if (request.use_cache || options_.ignores_the_switch) run.reused = Match(slot, run.prompt);
  run.shape = run.reused > 0 ? options_.cached_shape : options_.shape;
  Attach(slot, run);
  const std::size_t counted =
      run.reused + (options_.mutant == ToyMutant::kOneTwice && run.reused > 0 ? 1 : 0);
  Prefill(slot, run);
  slot.last_logits = run.logits;
  GenerateReply reply;
  Decode(request, slot, run, reply);
  slot.tokens = run.prompt;
  slot.tokens.insert(slot.tokens.end(), reply.tokens.begin(), reply.tokens.end() - 1);
  const auto n = static_cast<std::int64_t>(run.prompt.size());
  reply.prompt_tokens = {n, Origin::kServer};
  reply.cached_tokens = {static_cast<std::int64_t>(counted), Origin::kServer};
  reply.processed_tokens = {n - static_cast<std::int64_t>(counted), Origin::kServer};
  reply.output_tokens = {request.output_tokens, Origin::kServer};
  reply.has_token_ids = !options_.no_token_ids;
  reply.finish = "length";
  reply.request_body = DumpJson({{"prompt", request.prompt}, {"use_cache", request.use_cache}});
  // Two responses are never the same bytes, as those of a server that times them are not.
  reply.response_body = DumpJson({{"server", number_}, {"serial", serial_}, {"tokens", reply.tokens}});
  if (options_.no_token_ids) {
    reply.tokens.clear();
    reply.logprobs.clear();
  }
  return reply;
}

Status ToyBackend::WaitIdle(Millis, const RunContext&) {
  return {};
}

Result<Json> ToyBackend::Metrics(const RunContext&) {
  return Fail(ErrorCode::kUnavailable, "the toy has no server-wide counters");
}

Result<std::int64_t> ToyBackend::RoundTripNs(const RunContext&) {
  return Fail(ErrorCode::kUnavailable, "the toy is not reached over a network");
}

}  // namespace helix::fakes
