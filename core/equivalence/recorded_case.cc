#include "core/equivalence/recorded_case.h"

#include <fmt/format.h>

#include "core/base/json_fields.h"

namespace helix::equivalence {
namespace {

tl::unexpected<Error> Bad(const std::string& what) {
  return Fail(ErrorCode::kInvalidArgument, what,
              "give input.cold and input.warm as lists of token ids, or as texts when there are no ids");
}

Status ReadTokens(const Json& list, std::string_view key, ArmOutput& out) {
  if (list.is_string()) {
    out.text = list.get<std::string>();
    return {};
  }
  if (!list.is_array()) return Bad(fmt::format("{} is neither a list of token ids nor a text", key));
  out.has_token_ids = true;
  for (const Json& id : list) {
    if (!id.is_number_integer()) return Bad(fmt::format("{} holds something that is not a token id", key));
    const auto value = id.get<std::int64_t>();
    if (value < 0 || value > INT32_MAX)
      return Bad(fmt::format("{} holds {}, which is no token id", key, value));
    out.tokens.push_back(static_cast<TokenId>(value));
  }
  return {};
}

Status ReadLogprobs(const Json& input, const std::string& key, ArmOutput& out) {
  const Json* list = Find(input, key);
  if (list == nullptr || list->is_null()) return {};
  if (!list->is_array() || list->size() != out.tokens.size()) {
    return Bad(fmt::format("{} must be a list with one entry per token", key));
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    backend::TokenLogprobs position;
    position.id = out.tokens[i];
    if (!(*list)[i].is_array())
      return Bad(fmt::format("{} must hold a list of {{id, logprob}} per token", key));
    for (const Json& entry : (*list)[i]) {
      const auto id = IntAt(entry, "id");
      const auto logprob = NumberAt(entry, "logprob");
      if (!id || !logprob) return Bad(fmt::format("{} must hold a list of {{id, logprob}} per token", key));
      position.top.push_back({static_cast<TokenId>(*id), "", *logprob});
      if (*id == position.id) position.logprob = *logprob;
    }
    out.logprobs.push_back(std::move(position));
  }
  return {};
}

Result<std::optional<ArmOutput>> ReadArm(const Json& input, const std::string& key) {
  const Json* list = Find(input, key);
  if (list == nullptr || list->is_null()) return std::optional<ArmOutput>();
  ArmOutput out;
  HELIX_TRY(ReadTokens(*list, key, out));
  HELIX_TRY(ReadLogprobs(input, key + "_logprobs", out));
  return std::optional<ArmOutput>(std::move(out));
}

std::optional<double> SmallerMargin(const Json& input) {
  std::optional<double> least;
  for (const char* key : {"cold_top2_margin_nats", "warm_top2_margin_nats", "top2_margin_nats"}) {
    const auto margin = NumberAt(input, key);
    if (margin && (!least || *margin < *least)) least = margin;
  }
  return least;
}

// Only where the arms part is known: placeholder lists that differ there and nowhere before.
void PlaceDivergence(std::int64_t at, ArmOutput& cold, ArmOutput& warm) {
  cold.tokens.assign(static_cast<std::size_t>(at) + 1, 0);
  warm.tokens = cold.tokens;
  warm.tokens.back() = 1;
  cold.has_token_ids = warm.has_token_ids = true;
}

void NoteContradiction(const Json& input, const Finding& finding, std::vector<std::string>& notes) {
  const auto claimed = IntAt(input, "diverged_at");
  if (!claimed || finding.cls == Class::kUnknown || finding.cls == Class::kNondeterministicBaseline) return;
  if (!finding.divergence) {
    notes.push_back(fmt::format("diverged_at says {}, but the token lists are the same", *claimed));
  } else if (static_cast<std::int64_t>(finding.divergence->index) != *claimed) {
    notes.push_back(fmt::format("diverged_at says {}, but the token lists part at {}", *claimed,
                                finding.divergence->index));
  }
}

Result<std::optional<Comparison>> WithoutLists(const Json& input, Comparison in) {
  const auto at = IntAt(input, "diverged_at");
  if (!at) return std::optional<Comparison>();
  if (*at < 0 || *at > 1'000'000) return Bad("diverged_at is not a token index");
  PlaceDivergence(*at, in.fresh, in.cached);
  return std::optional<Comparison>(std::move(in));
}

Result<Comparison> Read(const Json& input) {
  if (!input.is_object()) return Bad("a recorded case is a JSON object");
  auto cold = ReadArm(input, "cold");
  if (!cold) return tl::make_unexpected(cold.error());
  auto warm = ReadArm(input, "warm");
  if (!warm) return tl::make_unexpected(warm.error());
  auto again = ReadArm(input, "cold2");
  if (!again) return tl::make_unexpected(again.error());
  Comparison in;
  in.fresh_again = *std::move(again);
  in.fresh_repeats_identically = BoolAt(input, "cold_vs_cold_identical");
  in.control_noise = NumberAt(input, "control_noise_nats");
  in.recorded_gap = SmallerMargin(input);
  if (*cold && *warm) {
    in.fresh = **std::move(cold);
    in.cached = **std::move(warm);
    return in;
  }
  auto bare = WithoutLists(input, std::move(in));
  if (!bare) return tl::make_unexpected(bare.error());
  if (!*bare) return Bad(*cold ? "input.warm is missing" : "input.cold is missing");
  return **std::move(bare);
}

Finding CachedDisagrees(Finding finding) {
  finding.cls = Class::kAmbiguous;
  finding.rule = "cached_differs_from_cached";
  finding.reason =
      "the recorded warm run equals the cold one, but another warm run of the same prompt does not";
  return finding;
}

}  // namespace

Result<RecordedFinding> ClassifyRecorded(const Json& input) {
  auto comparison = Read(input);
  if (!comparison) return tl::make_unexpected(comparison.error());
  auto warm2 = ReadArm(input, "warm2");
  if (!warm2) return tl::make_unexpected(warm2.error());
  RecordedFinding out;
  out.finding = Classify(*comparison);
  const bool only_index = Find(input, "cold") == nullptr && out.finding.divergence;
  if (only_index) out.finding.divergence->details = nullptr;  // the ids were placeholders
  NoteContradiction(input, out.finding, out.notes);
  if (*warm2) {
    comparison->cached = **std::move(warm2);
    Finding second = Classify(*comparison);
    if (second.cls > out.finding.cls) out.finding = std::move(second);
  } else if (BoolAt(input, "warm_vs_warm_identical") == false && out.finding.cls == Class::kExact) {
    out.finding = CachedDisagrees(std::move(out.finding));
  }
  return out;
}

}  // namespace helix::equivalence
