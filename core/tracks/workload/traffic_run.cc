#include "core/tracks/workload/traffic_run.h"

#include <map>

#include "core/base/json_fields.h"

namespace helix::tracks {
namespace {

using consistency::ReuseVerdict;
using experiment::Traffic;
using experiment::TrafficStep;

constexpr int kLargestContext = 8192;  // more only makes the run longer

struct Counts {
  std::size_t all = 0, matching = 0, unknown = 0;
  std::int64_t prompt = 0, reused = 0;
  bool reused_known = true;

  void Add(const ObservedCall& call) {
    ++all;
    matching += call.verdict == ReuseVerdict::kMatch ? 1 : 0;
    unknown += call.verdict == ReuseVerdict::kUnknown ? 1 : 0;
    prompt += call.prompt_tokens;
    reused_known = reused_known && call.reply.cached_tokens.present();
    if (call.reply.cached_tokens.present()) reused += call.reply.cached_tokens.value();
  }
};

// The prompt of a step, and what its conversation is after the answer.
class Conversations {
 public:
  std::vector<backend::TokenId> Prompt(const TrafficStep& step) {
    std::vector<backend::TokenId> prompt;
    if (step.carries_on) prompt = histories_[step.session];
    prompt.insert(prompt.end(), step.tokens.begin(), step.tokens.end());
    return prompt;
  }
  void Answered(const TrafficStep& step, std::vector<backend::TokenId> prompt,
                const std::vector<backend::TokenId>& answer) {
    prompt.insert(prompt.end(), answer.begin(), answer.end());
    histories_[step.session] = std::move(prompt);
  }

 private:
  std::map<int, std::vector<backend::TokenId>> histories_;
};

Result<Json> RunOne(PredictedServer& server, const Traffic& traffic, Counts& counts) {
  Conversations conversations;
  Counts own;
  Json rows = Json::array();
  Json left_out = Json::array();
  for (const TrafficStep& step : traffic.steps) {
    if (step.restarts_server) {
      if (!server.CanRestart()) {
        left_out.push_back(step.note + ": the server is not ours to restart");
        continue;
      }
      HELIX_TRY(server.Restart());
    }
    backend::GenerateRequest request;
    request.prompt = conversations.Prompt(step);
    request.output_tokens = step.output_tokens;
    auto prompt = request.prompt;
    auto call = server.Send(std::move(request), step.session);
    if (!call) return tl::make_unexpected(call.error());
    conversations.Answered(step, std::move(prompt), call->reply.tokens);
    own.Add(*call);
    counts.Add(*call);
    Json row = RowOf(*call);
    row["session"] = step.session;
    row["note"] = step.note;
    rows.push_back(std::move(row));
  }
  return Json{{"name", traffic.name},
              {"shows", traffic.shows},
              {"matching", own.matching},
              {"count", own.all},
              {"prompt_tokens", own.prompt},
              {"reused_tokens", own.reused_known ? Json(own.reused) : Json(nullptr)},
              {"left_out", std::move(left_out)},
              {"requests", std::move(rows)}};
}

void Judge(const Counts& counts, Json& result) {
  const std::size_t wrong = counts.all - counts.matching - counts.unknown;
  result["matching"] = counts.matching;
  result["count"] = counts.all;
  result["prompt_tokens"] = counts.prompt;
  result["reused_tokens"] = counts.reused_known ? Json(counts.reused) : Json(nullptr);
  if (wrong > 0) {
    result["verdict"] = "FAIL";
    result["reason"] = std::to_string(wrong) + " of " + std::to_string(counts.all) +
                       " requests reported another reuse than the engine's rule gives";
  } else if (counts.unknown > 0) {
    result["verdict"] = "INCONCLUSIVE";
    result["reason"] = std::to_string(counts.unknown) + " of " + std::to_string(counts.all) +
                       " requests could not be told: nothing reported, or the rule gives an interval";
  } else {
    result["verdict"] = "PASS";
    result["reason"] =
        "all " + std::to_string(counts.all) + " requests reused what was predicted, to the token";
  }
}

}  // namespace

Result<Json> RunTraffic(PredictedServer& server, const std::vector<std::string>& names, std::uint64_t seed,
                        const RunContext& context) {
  auto alphabet = experiment::TokenAlphabet(*server.target().backend, seed, context);
  if (!alphabet) return tl::make_unexpected(alphabet.error());
  experiment::TrafficSizes sizes;
  const std::int64_t context_tokens = server.target().identity.context_per_slot;
  if (context_tokens > 0)
    sizes.context = static_cast<int>(std::min<std::int64_t>(context_tokens, kLargestContext));
  const int block = server.target().backend->capabilities().block_size;
  if (block > 1) sizes.block = block;
  HELIX_TRY(server.Wipe());
  Counts counts;
  Json shapes = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    context.Report(static_cast<double>(i), static_cast<double>(names.size()), "traffic: " + names[i]);
    auto traffic = experiment::MakeTraffic(names[i], sizes, *alphabet, seed);
    if (!traffic) return tl::make_unexpected(traffic.error());
    auto shape = RunOne(server, *traffic, counts);
    if (!shape) return shape;
    shapes.push_back(std::move(*shape));
  }
  Json result = Json::object();
  Judge(counts, result);
  result["seed"] = seed;
  result["shapes"] = std::move(shapes);
  return result;
}

}  // namespace helix::tracks
