// Group A, whether each arm is what its label says.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/checks/arms_checks.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {
namespace {

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

}  // namespace

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

namespace {

double WarmShareOfCold(const CheckInput& in) {
  auto off = Finished(in, in.report.off);
  if (off.empty()) return 0;
  auto warm = std::count_if(off.begin(), off.end(), [&](auto* s) { return s->cached_n > in.cold_allow; });
  return static_cast<double>(warm) / static_cast<double>(off.size());
}

}  // namespace

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

}  // namespace helix::analysis::checks
