#include "core/tracks/track_b/lever_comparison.h"

#include "core/base/json_fields.h"
#include "core/cost/lever_arms.h"
#include "core/levers/gates.h"
#include "core/levers/prompt.h"

namespace helix::tracks {
namespace {

std::int64_t TokensOf(const Json* value) {
  if (value == nullptr || value->is_null()) return 0;
  return levers::EstimateTokens(value->is_string() ? value->get_ref<const std::string&>() : DumpJson(*value));
}

// Markers say what was sent already; on entry nothing was.
void DropMarkers(Json& value) {
  if (value.is_object()) value.erase("cache_control");
  if (!value.is_structured()) return;
  for (auto& item : value) DropMarkers(item);
}

// What compression takes from each message's tool results, and whether all gates hold.
struct Savings {
  std::vector<std::int64_t> per_message;
  bool gates_passed = true;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

bool IsToolResult(const Json& request, const std::string& pointer, std::size_t message) {
  const Json& entry = request["messages"][message];
  if (StringAt(entry, "role") == "tool") return true;
  const std::string inside =
      pointer.substr(std::string("/messages//content").size() + std::to_string(message).size());
  return inside.find("/content") != std::string::npos;  // text inside a tool_result block
}

Result<Savings> SavingsOf(const Json& request) {
  auto compressed = levers::CompressPrompt(DumpJson(request), {});
  if (!compressed) return tl::make_unexpected(compressed.error());
  Savings out;
  out.per_message.assign(request["messages"].size(), 0);
  for (const auto& block : compressed->changed) {
    const std::size_t message = std::stoul(block.pointer.substr(std::string("/messages/").size()));
    if (!IsToolResult(request, block.pointer, message)) continue;
    const Json::json_pointer at(block.pointer);  // the compressor's own, so well formed
    if (!request.contains(at) || !request.at(at).is_string()) continue;
    const auto gates =
        levers::CheckGates(request.at(at).get_ref<const std::string&>(), block.result.text, {});
    const bool repeats = block.result.applied.front() == "same_as_earlier";
    out.gates_passed = out.gates_passed && (repeats || gates.Passed(block.result.lossless));
    out.per_message[message] += block.result.tokens_before - block.result.tokens_after;
  }
  return out;
}

// A turn ends with an assistant's message; what stands behind the last one is a turn without an answer yet.
std::vector<cost::RecordedTurn> TurnsOf(const Json& request, Savings& savings) {
  std::vector<cost::RecordedTurn> turns;
  cost::RecordedTurn turn;
  for (std::size_t i = 0; i < request["messages"].size(); ++i) {
    const Json& message = request["messages"][i];
    const std::int64_t tokens = TokensOf(Find(message, "content"));
    if (StringAt(message, "role") == "assistant") {
      turn.out_tokens = tokens + TokensOf(Find(message, "tool_calls"));
      turns.push_back(turn);
      turn = {};
      continue;
    }
    turn.new_tokens += tokens;
    turn.compressed_tokens += std::max<std::int64_t>(tokens - savings.per_message[i], 0);
  }
  if (turn.new_tokens > 0) turns.push_back(turn);
  for (const auto& each : turns) {
    savings.before += each.new_tokens;
    savings.after += each.compressed_tokens;
  }
  return turns;
}

}  // namespace

Result<Json> CompareOnConversation(const LeverQuestion& question, const cost::PriceTable& prices) {
  auto request = ParseJson(question.body);
  if (!request) return tl::make_unexpected(request.error());
  const Json* messages = Find(*request, "messages");
  if (messages == nullptr || !messages->is_array() || messages->empty()) {
    return Fail(ErrorCode::kParse, "the body has no messages",
                "expected an Anthropic Messages or OpenAI chat request with its history");
  }
  DropMarkers(*request);
  auto savings = SavingsOf(*request);
  if (!savings) return tl::make_unexpected(savings.error());
  cost::LeverInput input;
  input.turns = TurnsOf(*request, *savings);
  input.static_tokens = TokensOf(Find(*request, "system")) + TokensOf(Find(*request, "tools"));
  input.overhead_tokens = question.overhead_tokens;
  input.extra_turns = question.extra_turns;
  input.compressor_cost = cost::FromUsd(question.compressor_usd);
  input.gates_passed = savings->gates_passed;
  auto row = prices.Find(question.route, question.model, question.utc, input.static_tokens + savings->before);
  if (!row || !row->in || !row->out) {
    return Fail(ErrorCode::kNotFound, "price: unknown for " + question.model + " at " + question.route,
                "name another provider and model, or a price file");
  }
  Json out = cost::ToJson(cost::CompareLevers(input, *row));
  out["turns"] = input.turns.size();
  out["static_tokens"] = input.static_tokens;
  out["tokens"] = {{"new_before", savings->before},
                   {"new_after", savings->after},
                   {"counter", "estimate: not a provider's count"}};
  out["gates_passed"] = savings->gates_passed;
  out["price_source"] = row->source;
  out["price_as_of"] = row->as_of;
  return out;
}

}  // namespace helix::tracks
