#include "core/usage/settle.h"

#include <algorithm>

namespace helix::usage {
namespace {

// Below this many cached tokens, an input equal to them is a coincidence that short prompts produce.
constexpr std::int64_t kSmallestSuspect = 32;
// Servers that count twice disagree by a few tokens of template, never by a share of the prompt.
constexpr std::int64_t kPermilleNear = 5;

Measured<Tokens> Derived(std::int64_t value) {
  return {Tokens{value}, Origin::kDerived};
}

Measured<Tokens> From(const Count& count, bool derived) {
  return count.present() && derived ? Derived(count.value) : count.Reported();
}

std::int64_t ValueOrNone(const Count& count) {
  return count.present() ? count.value : 0;
}

// Whether an additive shape's input is really the whole prompt.
bool InputIncludesCached(const Draft& draft, std::int64_t cached) {
  if (cached < kSmallestSuspect || draft.surely_additive) return false;
  std::int64_t input = draft.input.value;
  if (input >= cached - 1 && input <= cached + 1) return true;
  if (input < cached && cached - input <= std::max<std::int64_t>(2, cached * kPermilleNear / 1000))
    return true;
  return draft.input_before_cache && input >= cached - cached / 20;
}

void SettleWhole(std::int64_t whole, std::int64_t cached, bool read_known, const char* flag, Usage& usage) {
  if (whole < cached) {
    usage.in_total = Derived(cached);
    usage.AddFlag(flag);
    return;
  }
  if (!usage.in_total.present()) usage.in_total = {Tokens{whole}, Origin::kServer};
  if (!read_known) return;
  usage.in_uncached = Derived(whole - cached);
  usage.prefilled = Derived(whole - usage.cache_read.value().count);
}

void SettleAdditive(const Draft& draft, std::int64_t cached, Usage& usage) {
  bool any_cache = draft.read.present() || usage.Writes().present();
  if (!any_cache || !draft.input.present()) return;  // what the input field means is not known
  if (InputIncludesCached(draft, cached)) {
    usage.AddFlag("input_includes_cached_suspected");
    SettleWhole(draft.input.value, cached, draft.read.present(), "input_includes_cached_suspected", usage);
    return;
  }
  usage.in_uncached = draft.input.Reported();
  if (!draft.read.present()) return;
  usage.in_total = Derived(draft.input.value + cached);
  usage.prefilled = Derived(draft.input.value + cached - draft.read.value);
}

void SettleSubset(const Draft& draft, std::int64_t cached, Usage& usage) {
  if (!draft.input.present()) {
    if (!draft.uncached.present() || !draft.read.present()) return;
    usage.in_uncached = draft.uncached.Reported();
    usage.in_total = Derived(draft.uncached.value + cached);
    usage.prefilled = Derived(usage.in_total.value().count - draft.read.value);
    return;
  }
  usage.in_total = draft.input.Reported();
  SettleWhole(draft.input.value, cached, draft.read.present(), "cached_exceeds_prompt", usage);
  if (!draft.uncached.present() || !usage.in_uncached.present()) return;
  if (draft.uncached.value == usage.in_uncached.value().count) {
    usage.in_uncached = draft.uncached.Reported();
  } else {
    usage.AddFlag("inconsistent");
  }
}

Visibility VisibilityOf(const Draft& draft) {
  switch (draft.read.state) {
    case Count::State::kValue:
      return draft.read_derived ? Visibility::kDerived : Visibility::kReported;
    case Count::State::kAbsent:
      return Visibility::kAbsent;
    default:
      return Visibility::kNull;
  }
}

}  // namespace

void Settle(const Draft& draft, Usage& usage) {
  usage.cache_read = From(draft.read, draft.read_derived);
  usage.cache_write_5m = From(draft.write_5m, draft.write_5m_derived);
  usage.cache_write_1h = draft.write_1h.Reported();
  usage.cache_write_other = draft.write_other.Reported();
  usage.out_total = From(draft.output, draft.output_derived);
  usage.out_reasoning = draft.reasoning.Reported();
  usage.visibility = VisibilityOf(draft);
  for (const auto* count : {&draft.input, &draft.uncached, &draft.read, &draft.write_5m, &draft.write_1h,
                            &draft.write_other, &draft.output, &draft.reasoning}) {
    if (count->state == Count::State::kInvalid) usage.AddFlag("invalid_counter");
  }
  auto writes = usage.Writes();
  std::int64_t cached = ValueOrNone(draft.read) + (writes.present() ? writes.value().count : 0);
  draft.additive ? SettleAdditive(draft, cached, usage) : SettleSubset(draft, cached, usage);
}

void AddReuseFlags(Usage& usage) {
  if (!usage.cache_read.present()) {
    usage.AddFlag("unknown_not_zero");
    return;
  }
  auto writes = usage.Writes();
  bool wrote = writes.present() && writes.value().count > 0;
  std::int64_t read = usage.cache_read.value().count;
  if (read == 0) {
    usage.AddFlag(wrote ? "write" : "cold");
    return;
  }
  std::int64_t total = usage.in_total.present() ? usage.in_total.value().count : read;
  bool whole_blocks =
      read % 16 == 0;  // the smallest block any server uses: such a hit may be all it can give
  if (read <= 1 || read * 20 < total) {
    usage.AddFlag("trivial_reuse");
  } else {
    usage.AddFlag(read * 10 >= total * 9 || whole_blocks ? "hit" : "partial_hit");
  }
  if (wrote) usage.AddFlag("write");
}

}  // namespace helix::usage
