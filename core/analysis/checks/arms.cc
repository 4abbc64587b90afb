// Group A: arms and cache state.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

bool HasCached(const SampleView& s) {
  return Has(s.cached_n);
}

std::vector<const SampleView*> Finished(const CheckInput& in, const std::vector<std::size_t>& rows) {
  std::vector<const SampleView*> out;
  for (std::size_t i : rows) {
    if (in.report.at(i).ok()) out.push_back(&in.report.at(i));
  }
  return out;
}

bool AllHaveCached(const std::vector<const SampleView*>& rows) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](auto* s) { return HasCached(*s); });
}

// No call of the `on` arm reused what it should have.
bool NeverHit(const CheckInput& in) {
  auto on = Finished(in, in.report.on);
  std::erase_if(on, [](auto* s) { return !HasCached(*s); });
  return !on.empty() && std::none_of(on.begin(), on.end(), [&](auto* s) { return IsHit(in, *s); });
}

// Why the plan itself explains that nothing was cached; empty when it does not.
std::string ReasonOfColdness(const CheckInput& in) {
  const Json& r = *in.report.root;
  auto minimum = NumberAt(r, "plan/min_cacheable_tokens");
  if (!minimum) minimum = NumberAt(r, "backend/min_cacheable_tokens");
  auto on = Finished(in, in.report.on);
  bool below =
      minimum && std::all_of(on.begin(), on.end(), [&](auto* s) { return s->prompt_tokens < *minimum; });
  if (below)
    return "the prompts are shorter than the " + Text(*minimum) + " tokens from which this server caches";
  auto ttl = NumberAt(r, "plan/ttl_s");
  if (!ttl) ttl = NumberAt(r, "backend/ttl_s");
  if (!ttl) return {};
  std::map<double, double> primed;
  for (const auto& s : in.report.samples) {
    if (s.arm == Arm::kPrime && Has(s.t_send_ns)) primed[s.pair] = s.t_send_ns;
  }
  bool expired = !primed.empty() && std::all_of(on.begin(), on.end(), [&](auto* s) {
    auto it = primed.find(s->pair);
    return it != primed.end() && s->t_send_ns - it->second > *ttl * 1e9;
  });
  return expired ? "every call came later than the " + Text(*ttl) + " s for which an entry lives" : "";
}

void ReportNeverHit(const CheckInput& in, Reporter& out, const std::string& why) {
  double most = 0;
  for (auto* s : Finished(in, in.report.on)) most = std::max(most, Has(s->cached_n) ? s->cached_n : 0);
  out.Find(
      "/samples",
      "no call of the on arm reused half of the expected prefix; most tokens reused: " + Text(most) + why,
      "cached_n of at least half of expected_cached",
      "switch the cache on for this arm, or do not call it on");
}

void OnArmNeverHit(const CheckInput& in, Reporter& out) {
  if (NeverHit(in) && ReasonOfColdness(in).empty()) ReportNeverHit(in, out, "");
  if (!AllHaveCached(Finished(in, in.report.on))) out.Missing("server/cached_n");
}

void BothArmsCold(const CheckInput& in, Reporter& out) {
  std::string why = ReasonOfColdness(in);
  if (NeverHit(in) && !why.empty()) ReportNeverHit(in, out, "; " + why);
  if (!AllHaveCached(Finished(in, in.report.on))) out.Missing("server/cached_n");
}

void ArmLabelNotPlanned(const CheckInput& in, Reporter& out) {
  const Json* order = Find(in.report.Plan(), "order");
  if (order == nullptr || !order->is_array() || order->empty()) return out.Missing("plan/order");
  bool missing = in.report.samples.empty();
  for (const auto& s : in.report.samples) {
    if (!Has(s.seq) || !Has(s.arm_name)) {
      missing = true;
      continue;
    }
    if (s.seq < 0 || s.seq >= static_cast<double>(order->size())) continue;
    const Json& planned = (*order)[static_cast<std::size_t>(s.seq)];
    if (planned.is_string() && planned.get_ref<const std::string&>() == s.arm_name) continue;
    out.Find(s.Pointer("arm"), std::string(s.arm_name), "plan.order says " + DumpJson(planned),
             "label each call with the arm it was made in");
  }
  if (missing) out.Missing("seq");
}

double WarmShareOfCold(const CheckInput& in) {
  auto off = Finished(in, in.report.off);
  if (off.empty()) return 0;
  auto warm = std::count_if(off.begin(), off.end(), [&](auto* s) { return s->cached_n > in.cold_allow; });
  return static_cast<double>(warm) / static_cast<double>(off.size());
}

void ColdArmWarm(const CheckInput& in, Reporter& out) {
  double share = WarmShareOfCold(in);
  if (share >= 0.5) {
    out.Find("/samples",
             Text(std::round(share * 100)) + " of 100 off calls reused more than " + Text(in.cold_allow) +
                 " tokens",
             "cold calls reuse nothing beyond backend.cold_allow",
             "make the off arm cold (per-request switch, flush, salt or a nonce at the first token) and "
             "prove it by its counter");
  }
  if (!AllHaveCached(Finished(in, in.report.off))) out.Missing("server/cached_n");
}

// Without counters: an off call as fast as the on arm, where off is usually three times slower.
void ContaminatedByClock(const CheckInput& in, Reporter& out) {
  std::vector<double> off;
  std::vector<double> on;
  for (auto* s : Finished(in, in.report.off)) off.push_back(s->ttft_ns);
  for (auto* s : Finished(in, in.report.on)) on.push_back(s->ttft_ns);
  auto a = Median(off);
  auto b = Median(on);
  if (!a || !b || *a <= 3 * *b) return;
  double slowest_on = *std::max_element(on.begin(), on.end());
  for (auto* s : Finished(in, in.report.off)) {
    if (s->ttft_ns > slowest_on) continue;
    out.Find(s->Pointer("client/ttft_ns"), Text(s->ttft_ns), "above the slowest on call, " + Text(slowest_on),
             "this off call was as fast as a hit: make it cold and measure again");
  }
}

void ColdArmContaminated(const CheckInput& in, Reporter& out) {
  auto off = Finished(in, in.report.off);
  bool any_counter = std::any_of(off.begin(), off.end(), [](auto* s) { return HasCached(*s); });
  if (!any_counter) ContaminatedByClock(in, out);
  if (any_counter && WarmShareOfCold(in) < 0.5) {
    for (auto* s : off) {
      if (!(s->cached_n > in.cold_allow)) continue;
      out.Find(s->Pointer("server/cached_n"), Text(s->cached_n), "at most " + Text(in.cold_allow),
               "exclude nothing: make the off arm cold and measure again");
    }
  }
  if (!AllHaveCached(off)) out.Missing("server/cached_n");
}

void WarmArmEvicted(const CheckInput& in, Reporter& out) {
  bool never = NeverHit(in);
  bool missing = in.report.on.empty();
  for (std::size_t i : in.report.on) {
    const SampleView& s = in.report.at(i);
    if (!HasCached(s)) {
      missing |= s.ok();
      continue;
    }
    if (never || IsHit(in, s)) continue;
    out.FindAs(s.ok() ? Severity::kWarn : Severity::kFail, s.Pointer("server/cached_n"), Text(s.cached_n),
               "at least half of the expected " + Text(s.expected_cached),
               "report the hit rate as below 100 % and keep the call in every number");
  }
  if (missing) out.Missing("server/cached_n");
}

void CachedBeyondPrompt(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.cached_n) && Has(s.prompt_tokens); };
  EachSample(in, out, "server/cached_n", has, [&](const SampleView& s) {
    if (s.cached_n >= 0 && s.cached_n < s.prompt_tokens) return;
    out.Find(s.Pointer("server/cached_n"), Text(s.cached_n),
             "0 to prompt_tokens - 1 = " + Text(s.prompt_tokens - 1),
             "at least one token is always evaluated: read the counter again, or another one");
  });
}

bool ShiftsChunks(const CheckInput& in) {
  for (const char* name :
       {"backend/flags/cache_reuse", "backend/flags/n_cache_reuse", "backend/flags/--cache-reuse"}) {
    if (NumberAt(*in.report.root, name).value_or(0) > 0) return true;
  }
  return false;
}

void OverReuse(const CheckInput& in, Reporter& out) {
  Severity severity = ShiftsChunks(in) ? Severity::kWarn : Severity::kFail;
  auto has = [](const SampleView& s) { return Has(s.cached_n) && Has(s.lcp_prev); };
  EachSample(in, out, "lcp_prev", has, [&](const SampleView& s) {
    if (s.cached_n <= s.lcp_prev) return;
    out.FindAs(severity, s.Pointer("server/cached_n"), Text(s.cached_n),
               "at most lcp_prev = " + Text(s.lcp_prev) + ", the longest prefix this server has seen",
               "a server that reuses more than it was shown may answer from another prompt: stop using the "
               "cache and report it");
  });
}

void NotBlockAligned(const CheckInput& in, Reporter& out) {
  auto block = IntAt(in.report.Backend(), "block_size");
  if (!block) return out.Missing("backend/block_size");
  EachSample(in, out, "server/cached_n", HasCached, [&](const SampleView& s) {
    if (*block <= 1 || std::fmod(s.cached_n, static_cast<double>(*block)) == 0) return;
    out.Find(s.Pointer("server/cached_n"), Text(s.cached_n),
             "a multiple of block_size = " + std::to_string(*block),
             "a paged engine reuses whole blocks: check the counter or the block size");
  });
}

void ConstantCounter(const CheckInput& in, Reporter& out) {
  std::size_t off = 0;
  std::size_t on = 0;
  bool all = true;
  auto has = [](const SampleView& s) { return Has(s.cached_n) && Has(s.prompt_tokens); };
  EachSample(in, out, "server/cached_n", has, [&](const SampleView& s) {
    ++(s.arm == Arm::kOff ? off : on);
    all = all && s.cached_n == s.prompt_tokens - 1;
  });
  if (!all || off == 0 || on == 0) return;
  out.Find("/samples", "cached_n is prompt_tokens - 1 in every call of both arms",
           "a counter that tells a hit from a miss",
           "this counter cannot be used: read another one, or judge by the clock alone");
}

void CrossSaltHit(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.salt_differs) && Has(s.cached_n); };
  EachSample(in, out, "salt_differs", has, [&](const SampleView& s) {
    if (s.salt_differs != Flag::kTrue || s.cached_n <= in.cold_allow) return;
    out.Find(s.Pointer("server/cached_n"), Text(s.cached_n),
             "at most " + Text(in.cold_allow) + " under another salt",
             "tenants can see each other's cache: treat it as a security finding");
  });
}

void CounterIdentity(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) {
    return Has(s.cached_n) && Has(s.processed_n) && Has(s.prompt_tokens);
  };
  EachSample(in, out, "server/processed_n", has, [&](const SampleView& s) {
    if (s.processed_n + s.cached_n != s.prompt_tokens) {
      out.Find(s.Pointer("server/processed_n"),
               Text(s.processed_n) + " processed + " + Text(s.cached_n) + " cached",
               "prompt_tokens = " + Text(s.prompt_tokens),
               "the counters contradict each other: read them from one reply");
    } else if (Has(s.usage_cached) && s.usage_cached != s.cached_n) {
      out.Find(s.Pointer("server/usage_cached"), Text(s.usage_cached), "cached_n = " + Text(s.cached_n),
               "usage and timings disagree: find out which one counts reused tokens");
    }
  });
}

void HitWithoutBenefit(const CheckInput& in, Reporter& out) {
  const auto& ratio = in.statistics.prefill ? in.statistics.prefill : in.statistics.ttft;
  if (!ratio || !ratio->ratio.has_interval || !in.statistics.skipped_share)
    return out.Missing("server/prompt_ms");
  if (*in.statistics.skipped_share <= 0.8 || ratio->ratio.ci_high >= 1.15) return;
  out.Find("/samples",
           "more than 80 of 100 prompt tokens are counted as reused, but off/on is at most " +
               Text(ratio->ratio.ci_high),
           "a clear saving of prefill time",
           "the counter says warm and the clock says cold: do not claim a hit");
}

void FasterThanSkipping(const CheckInput& in, Reporter& out) {
  const auto& ratio = in.statistics.prefill;
  if (!ratio || !ratio->ratio.has_interval) return out.Missing("server/prompt_ms");
  if (!in.statistics.skip_bound) return out.Missing("server/cached_n");
  if (ratio->ratio.ci_low <= 1.10 * *in.statistics.skip_bound) return;
  out.Find("/samples", "prefill ratio at least " + Text(ratio->ratio.ci_low),
           "at most 1.10 x prompt tokens / evaluated tokens = " + Text(1.10 * *in.statistics.skip_bound),
           "skipping tokens cannot save more than their share: look for another difference between the arms");
}

void ResponseCache(const CheckInput& in, Reporter& out) {
  std::vector<double> off_share;
  auto has = [](const SampleView& s) { return Has(s.ttft_ns) && Has(s.total_ns) && Has(s.out_n); };
  EachSample(in, out, "client/total_ns", has, [&](const SampleView& s) {
    if (s.arm == Arm::kOff) off_share.push_back((s.total_ns - s.ttft_ns) / s.total_ns);
  });
  auto off = Median(off_share);
  std::set<std::string_view> ids;
  for (std::size_t i : in.report.sequence) {
    const SampleView& s = in.report.at(i);
    double decode = s.total_ns - s.ttft_ns;
    bool instant =
        s.arm == Arm::kOn && decode >= 0 && decode < 0.001 * s.total_ns && s.out_n > 4 && off && *off >= 0.01;
    bool replayed = Has(s.response_id) && !ids.insert(s.response_id).second;
    if (!instant && !replayed) continue;
    out.Find(s.Pointer(instant ? "client/total_ns" : "server/response_id"),
             instant ? "all " + Text(s.out_n) + " tokens came at once" : "an answer that was given before",
             "a decode phase of its own", "a stored answer was replayed: switch the response cache off");
  }
}

void PrimeCostHidden(const CheckInput& in, Reporter& out) {
  const Json& plan = in.report.Plan();
  std::size_t planned = BoolAt(plan, "prime").value_or(false) ? 1 : 0;
  if (const Json* order = Find(plan, "order"); order != nullptr && order->is_array()) {
    planned =
        std::max(planned, static_cast<std::size_t>(std::count(order->begin(), order->end(), Json("prime"))));
  }
  if (planned == 0) return out.Missing("plan/prime");
  auto seen = std::count_if(in.report.samples.begin(), in.report.samples.end(),
                            [](const SampleView& s) { return s.arm == Arm::kPrime; });
  if (static_cast<std::size_t>(seen) >= planned) return;
  out.Find("/samples", std::to_string(seen) + " prime calls",
           "the " + std::to_string(planned) + " that the plan lists",
           "record what it costs to fill the cache");
}

const Json* FlagsOf(const CheckInput& in, const SampleView& s) {
  if (s.flags != nullptr) return s.flags;
  std::string id(s.env_id);
  for (const char* part : {"environments", "env", "backend"}) {
    const Json* at = Find(*in.report.root, part);
    if (at != nullptr && std::string_view(part) != "environments") at = Find(*at, "environments");
    if (at != nullptr) at = Find(*at, id);
    if (at != nullptr) at = Find(*at, "flags");
    if (at != nullptr) return at;
  }
  return nullptr;
}

std::set<std::string> Knobs(const Json& plan) {
  std::set<std::string> out{"cache_prompt", "enable_prefix_caching"};
  if (const Json* knob = Find(plan, "knob"); knob != nullptr) {
    if (knob->is_string()) out = {knob->get<std::string>()};
  }
  return out;
}

std::string DifferingFlag(const Json& a, const Json& b, const std::set<std::string>& knobs) {
  if (!a.is_object() || !b.is_object()) return a == b ? "" : "flags";
  for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (auto it = x->begin(); it != x->end(); ++it) {
      const Json* other = Find(*y, it.key());
      if (knobs.count(it.key()) == 0 && (other == nullptr || *other != *it)) return it.key();
    }
  }
  return {};
}

void OtherFeatureDiffers(const CheckInput& in, Reporter& out) {
  auto knobs = Knobs(in.report.Plan());
  bool missing = in.report.pairs.empty();
  for (const auto& pair : in.report.pairs) {
    const Json* off = FlagsOf(in, in.report.at(pair.off));
    const Json* on = FlagsOf(in, in.report.at(pair.on));
    if (off == nullptr || on == nullptr) {
      missing = true;
      continue;
    }
    std::string flag = DifferingFlag(*off, *on, knobs);
    if (flag.empty()) continue;
    out.Find(in.report.at(pair.on).Pointer("flags"), "the flag " + flag + " differs between the arms",
             "exactly the declared knob differs", "change one thing at a time, or name it in plan.knob");
  }
  if (missing) out.Missing("flags");
}

void CrossSlotLuck(const CheckInput& in, Reporter& out) {
  std::map<double, double> primed;
  for (const auto& s : in.report.samples) {
    if (s.arm == Arm::kPrime && Has(s.slot) && Has(s.pair)) primed[s.pair] = s.slot;
  }
  std::set<double> slots;
  for (std::size_t i : in.report.on) {
    const SampleView& s = in.report.at(i);
    if (Has(s.slot)) slots.insert(s.slot);
    auto it = primed.find(s.pair);
    if (it == primed.end() || !s.ok() || !Has(s.slot) || s.slot == it->second || !IsHit(in, s)) continue;
    out.Find(s.Pointer("server/slot"), "slot " + Text(s.slot) + ", primed in slot " + Text(it->second),
             "the slot that was primed", "pin the slot, or prove that slots share their cache");
  }
  double sessions = NumberAt(*in.report.root, "claim/sessions").value_or(1);
  if (sessions > 1 && slots.size() == 1) {
    out.Find("/claim/sessions", "one slot for " + Text(sessions) + " sessions", "a slot each",
             "measure with as many sessions");
  }
  if (primed.empty()) out.Missing("server/slot of prime calls");
}

void TrivialPrefixAsHit(const CheckInput& in, Reporter& out) {
  auto claimed = NumberAt(*in.report.root, "claim/hit_rate");
  if (!claimed) return out.Missing("claim/hit_rate");
  auto on = Finished(in, in.report.on);
  if (!AllHaveCached(on)) return out.Missing("server/cached_n");
  double trivial = 0;
  double hits = 0;
  for (auto* s : on) {
    if (s->cached_n > in.cold_allow) {
      ++hits;
    } else if (s->cached_n > 0) {
      ++trivial;
    }
  }
  auto n = static_cast<double>(on.size());
  if (trivial == 0 || *claimed <= hits / n + 1e-6) return;
  out.Find("/claim/hit_rate",
           Text(*claimed) + ", with " + Text(trivial) + " calls that reused no more than a cold call may",
           "at most " + Text(hits / n), "count a hit only above backend.cold_allow");
}

}  // namespace

std::vector<Check> ArmChecks() {
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto declared = Absence::kDeclarable;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"A01", "on_arm_never_hit", F, need, "a cache-off run labelled cache-on", OnArmNeverHit},
      {"A02", "arm_label_ne_plan", F, need, "labels are not those of the plan", ArmLabelNotPlanned},
      {"A03", "cold_arm_warm", F, need, "at least half of the cold calls were warm", ColdArmWarm},
      {"A04", "on_arm_never_hit", F, need, "both arms cold, and the plan explains why", BothArmsCold},
      {"A05", "cold_arm_contaminated", F, need, "a few cold calls were warm", ColdArmContaminated},
      {"A06", "warm_arm_evicted", W, need, "some warm calls missed; kept in the numbers", WarmArmEvicted},
      {"A07a", "cached_gt_prompt", F, need, "the counter exceeds what a prompt can reuse",
       CachedBeyondPrompt},
      {"A07b", "over_reuse", F, declared, "more reused than this server was ever shown", OverReuse},
      {"A07c", "not_block_aligned", F, declared, "not a multiple of the engine's block", NotBlockAligned},
      {"A08", "const_cached_eq_prompt_minus_1", F, need, "a counter that says prompt - 1 whatever happens",
       ConstantCounter},
      {"A09", "cross_salt_hit", F, free, "a hit under another salt", CrossSaltHit},
      {"A10", "counter_identity", F, declared, "processed + cached is not the prompt", CounterIdentity},
      {"A11a", "hit_but_no_time_saved", F, declared, "the counter says warm, the clock says cold",
       HitWithoutBenefit},
      {"A11b", "faster_than_prefill_skip_bound", F, declared, "faster than skipping tokens allows",
       FasterThanSkipping},
      {"A12", "response_cache", F, declared, "a stored answer sold as a prefix hit", ResponseCache},
      {"A13", "prime_cost_hidden", W, free, "the calls that fill the cache are not recorded",
       PrimeCostHidden},
      {"A14", "other_feature_differs", F, free, "another flag differs between the arms", OtherFeatureDiffers},
      {"A15", "cross_slot_luck", W, free, "the hit depends on the slot", CrossSlotLuck},
      {"A16", "trivial_prefix_as_hit", F, free, "the shared template counted as a hit", TrivialPrefixAsHit},
  };
}

}  // namespace helix::analysis
