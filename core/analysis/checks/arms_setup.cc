// Group A, what else than the prefix cache could make the difference.
#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/checks/arms_checks.h"
#include "core/analysis/checks/each.h"
#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

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

namespace {

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

}  // namespace

void OtherFeatureDiffers(const CheckInput& in, Reporter& out) {
  auto knobs = Knobs(in.report.Plan());
  bool missing = in.report.pairs.empty();
  for (const auto& pair : in.report.pairs) {
    const SampleView& a = in.report.at(pair.off);
    const SampleView& b = in.report.at(pair.on);
    // One environment and no flags of their own: nothing can differ, only be absent.
    if (missing && a.flags == nullptr && b.flags == nullptr && a.env_id == b.env_id) continue;
    const Json* off = FlagsOf(in, a);
    const Json* on = FlagsOf(in, b);
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

}  // namespace helix::analysis::checks
