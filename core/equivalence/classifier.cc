#include "core/equivalence/classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/equivalence/thresholds.h"

namespace helix::equivalence {
namespace {

Finding Make(Class cls, std::string rule, std::string reason) {
  Finding out;
  out.cls = cls;
  out.rule = std::move(rule);
  out.reason = std::move(reason);
  return out;
}

std::optional<double> Smallest(std::initializer_list<std::optional<double>> values) {
  std::optional<double> least;
  for (const auto& value : values) {
    if (value && (!least || *value < *least)) least = value;
  }
  return least;
}

bool Holds(const backend::TokenLogprobs& position, TokenId id) {
  return std::any_of(position.top.begin(), position.top.end(),
                     [id](const auto& top) { return top.id == id; });
}

// By how much the taken token is less probable than the best one; greedy sampling takes the best.
double NotGreedyBy(const ArmOutput& arm, std::size_t index) {
  if (index >= arm.logprobs.size() || index >= arm.tokens.size() || arm.logprobs[index].top.empty()) return 0;
  const auto& position = arm.logprobs[index];
  for (const auto& top : position.top) {
    if (top.id == arm.tokens[index]) return position.top.front().logprob - top.logprob;
  }
  return position.top.front().logprob - position.logprob;
}

bool BaselineDisagrees(const Comparison& in) {
  if (in.fresh_again && FirstMismatch(in.fresh.tokens, in.fresh_again->tokens)) return true;
  return in.fresh_repeats_identically == false;
}

bool BaselineProven(const Comparison& in) {
  return in.fresh_again.has_value() || in.fresh_repeats_identically == true;
}

Finding Equal(const Comparison& in, const std::optional<DistanceSummary>& d) {
  if (!in.cached.finish.empty() && !in.fresh.finish.empty() && in.cached.finish != in.fresh.finish) {
    return Make(
        Class::kAmbiguous, "finish_differs",
        fmt::format("the tokens are the same, but the cached arm ended by \"{}\" and the fresh one by \"{}\"",
                    EscapePiece(in.cached.finish), EscapePiece(in.fresh.finish)));
  }
  const std::size_t n = in.cached.tokens.size();
  if (!d) {
    return Make(Class::kExact, "tokens_equal",
                fmt::format("all {} tokens are the same; no log-probabilities were there to compare", n));
  }
  if (d->max == 0) {
    return Make(Class::kExact, "bit_equal",
                fmt::format("all {} tokens and their log-probabilities are the same", n));
  }
  if (!in.control_noise && d->max > kPrintFloor) {
    return Make(
        Class::kAmbiguous, "no_control",
        fmt::format("all {} tokens are the same, but log-probabilities differ by up to {:.2e} nat and no "
                    "control arm measured how much of that is numerics",
                    n, d->max));
  }
  return Make(
      Class::kExact, "within_control",
      fmt::format("all {} tokens are the same; log-probabilities differ by up to {:.2e} nat, within {:.2e}",
                  n, d->max, Tolerance(in.control_noise.value_or(0))));
}

Finding WithoutControl(const Comparison& in, const Divergence& at, std::optional<double> gap) {
  if (!gap) {
    return Make(
        Class::kAmbiguous, "no_margin",
        fmt::format("the arms part at token {}, and neither a control arm nor a top-two margin tells whether "
                    "that is a tie",
                    at.index));
  }
  if (*gap < kNearTieWithoutControl) {
    if (at.swapped == false) {
      return Make(
          Class::kAmbiguous, "not_swapped",
          fmt::format("the top-two margin at token {} is {:.4f} nat, but other tokens lead", at.index, *gap));
    }
    return Make(
        Class::kNearTie, "margin_below_default",
        fmt::format("the top-two margin at token {} is {:.4f} nat, below {} nat (no control arm was there to "
                    "give the noise)",
                    at.index, *gap, kNearTieWithoutControl));
  }
  if (!BaselineProven(in)) {
    return Make(
        Class::kAmbiguous, "no_baseline",
        fmt::format("the top-two margin at token {} is {:.4f} nat, but nothing shows that the fresh arm "
                    "repeats itself",
                    at.index, *gap));
  }
  return Make(
      Class::kCorruption, "margin_above_default",
      fmt::format("the arms part at token {} where the top two are {:.4f} nat apart (near ties are below {} "
                  "nat), and the fresh arm repeats itself",
                  at.index, *gap, kNearTieWithoutControl));
}

// A flip that no rounding explains: the leading token is missing, the lead is too large, or the distance is.
std::optional<Finding> Defect(const Comparison& in, const Divergence& at, std::optional<double> gap,
                              double noise) {
  const std::size_t i = at.index;
  if (i < in.cached.logprobs.size() && !in.cached.logprobs[i].top.empty() && i < in.fresh.tokens.size() &&
      !Holds(in.cached.logprobs[i], in.fresh.tokens[i])) {
    return Make(Class::kCorruption, "fresh_token_missing",
                fmt::format("the fresh arm's token at {} is not among the cached arm's top {}", i,
                            in.cached.logprobs[i].top.size()));
  }
  if (gap && *gap > kDefectFactor * noise) {
    return Make(Class::kCorruption, "gap_outside_control",
                fmt::format("the arms part at token {} where the top two are {:.2e} nat apart; numerics move "
                            "log-probabilities by {:.2e} here",
                            i, *gap, noise));
  }
  if (at.delta && *at.delta > kDefectFactor * noise) {
    return Make(
        Class::kCorruption, "delta_outside_control",
        fmt::format("at token {}, where the arms part, log-probabilities differ by {:.2e} nat; numerics move "
                    "them by {:.2e} here",
                    i, *at.delta, noise));
  }
  return std::nullopt;
}

Finding WithControl(const Comparison& in, const Divergence& at, std::optional<double> gap, double d_before) {
  const double noise = Floored(*in.control_noise);
  if (auto defect = Defect(in, at, gap, noise)) return *std::move(defect);
  if (gap && at.delta && at.swapped == true && *gap <= kGapFactor * std::max(noise, d_before) &&
      *at.delta <= kNoiseFactor * noise) {
    return Make(
        Class::kNearTie, "swap_within_control",
        fmt::format(
            "the top two swapped at token {}: {:.2e} nat apart, moved by {:.2e}; the control arm moves "
            "log-probabilities by {:.2e}",
            at.index, *gap, *at.delta, noise));
  }
  return Make(
      Class::kAmbiguous, "between_rules",
      fmt::format("the arms part at token {} (gap {}, distance {}): neither inside nor clearly outside the "
                  "control's {:.2e} nat",
                  at.index, gap ? fmt::format("{:.2e}", *gap) : "unknown",
                  at.delta ? fmt::format("{:.2e}", *at.delta) : "unknown", noise));
}

std::optional<Finding> OutsideBefore(const Comparison& in, const std::optional<DistanceSummary>& before) {
  if (!in.control_noise || !before || before->max <= Tolerance(*in.control_noise)) return std::nullopt;
  return Make(
      Class::kCorruption, "logprobs_outside_control",
      fmt::format("log-probabilities of the same context differ by up to {:.2e} nat; {:.2e} is what numerics "
                  "explain (control {:.2e})",
                  before->max, Tolerance(*in.control_noise), *in.control_noise));
}

std::optional<Finding> Sampler(const Comparison& in, const Divergence& at) {
  const double by = NotGreedyBy(in.cached, at.index);
  if (by <= kPrintFloor || NotGreedyBy(in.fresh, at.index) > kPrintFloor) return std::nullopt;
  return Make(
      Class::kCorruption, "sampler",
      fmt::format("at token {} the cached arm took a token {:.2e} nat below its own best one: the sampler "
                  "carried something over, the log-probabilities did not",
                  at.index, by));
}

Finding Decide(const Comparison& in, const std::optional<Divergence>& at,
               const std::optional<DistanceSummary>& before) {
  if (auto outside = OutsideBefore(in, before)) return *std::move(outside);
  if (!at) return Equal(in, before);
  if (auto sampler = Sampler(in, *at)) return *std::move(sampler);
  const bool cut = at->index >= std::min(in.cached.tokens.size(), in.fresh.tokens.size());
  if (cut && in.cached.finish == in.fresh.finish) {
    return Make(Class::kAmbiguous, "length_differs",
                fmt::format("one arm ends after {} tokens and nothing says why: both name the same finish",
                            at->index));
  }
  const auto gap = Smallest({at->gap_cached, at->gap_fresh, in.recorded_gap});
  if (!in.control_noise) return WithoutControl(in, *at, gap);
  return WithControl(in, *at, gap, before ? before->max : 0);
}

DistanceSample Sample(const std::vector<double>& deltas) {
  DistanceSample sample;
  sample.Add(deltas);
  return sample;
}

}  // namespace

Finding Classify(const Comparison& in) {
  if (!in.cached.has_token_ids || !in.fresh.has_token_ids) {
    return Make(
        Class::kUnknown, "no_token_ids",
        in.cached.text == in.fresh.text
            ? "the server gives no token ids: the texts are the same, which different tokens can produce"
            : "the server gives no token ids: the texts differ");
  }
  if (BaselineDisagrees(in)) {
    return Make(
        Class::kNondeterministicBaseline, "fresh_differs_from_fresh",
        "two fresh runs of the same prompt give different tokens: there is nothing to measure the cache "
        "against");
  }
  const auto at = FindDivergence(in.cached, in.fresh, in.map);
  const std::size_t end = at ? at->index : in.cached.tokens.size();
  const auto before = Sample(DeltasBefore(in.cached, in.fresh, end)).Summary();
  Finding finding = Decide(in, at, before);
  finding.divergence = at;
  finding.d_cf = Sample(ComparableDeltas(in.cached, in.fresh)).Summary();
  finding.bit_equal = !at && finding.d_cf && finding.d_cf->max == 0;
  return finding;
}

Json ToJson(const Finding& finding) {
  Json out = {{"class", ClassName(finding.cls)}, {"rule", finding.rule}, {"reason", finding.reason},
              {"bit_equal", finding.bit_equal},  {"d_cf_max", nullptr},  {"first_divergence", nullptr}};
  if (finding.d_cf) out["d_cf_max"] = finding.d_cf->max;
  if (finding.divergence) out["first_divergence"] = ToJson(*finding.divergence);
  return out;
}

}  // namespace helix::equivalence
