#include "core/cost/usage_cost.h"

namespace helix::cost {
namespace {

class Adder {
 public:
  explicit Adder(Cost& cost) : cost_(cost) { cost_.kind = Cost::Kind::kExact; }

  void Add(const Measured<Tokens>& tokens, const std::optional<Price>& price, const char* name, Money& into) {
    if (!tokens.present() || tokens.value().count == 0) return;
    if (!price) {
      Unknown(std::string("no price for ") + name);
      return;
    }
    Money part = *price * tokens.value();
    into += part;
    cost_.total += part;
  }
  void LowerBound(std::string why) {
    if (cost_.kind == Cost::Kind::kExact) cost_.kind = Cost::Kind::kLowerBound;
    cost_.notes.push_back(std::move(why));
  }
  void Unknown(std::string why) {
    cost_.kind = Cost::Kind::kUnknown;
    cost_.notes.push_back(std::move(why));
  }

 private:
  Cost& cost_;
};

}  // namespace

const char* CostKindName(Cost::Kind kind) {
  switch (kind) {
    case Cost::Kind::kExact:
      return "exact";
    case Cost::Kind::kLowerBound:
      return "lower_bound";
    case Cost::Kind::kUnknown:
      return "unknown";
  }
  return "unknown";
}

Cost CostOf(const usage::Usage& usage, const PriceRow& prices) {
  Cost cost;
  Adder add(cost);
  if (!usage.in_uncached.present()) {
    add.Unknown("the reply does not say how much of the prompt was cached");
    return cost;
  }
  add.Add(usage.in_uncached, prices.in, "input", cost.uncached);
  add.Add(usage.cache_read, prices.read, "cache reads", cost.read);
  add.Add(usage.cache_write_5m, prices.write_5m, "5-minute writes", cost.writes);
  add.Add(usage.cache_write_1h, prices.write_1h, "1-hour writes", cost.writes);
  add.Add(usage.cache_write_other, prices.write_other, "writes of this lifetime", cost.writes);
  add.Add(usage.out_total, prices.out, "output", cost.output);
  if (!usage.cache_read.present()) add.LowerBound("cache reads not reported");
  if (!usage.out_total.present()) add.LowerBound("output tokens not reported");
  if (usage.HasFlag("write_ttl_not_reported"))
    add.LowerBound("lifetime of the writes not reported: priced at 5m");
  return cost;
}

Cost CostWithoutCache(const usage::Usage& usage, const PriceRow& prices) {
  Cost cost;
  Adder add(cost);
  if (!usage.in_total.present()) {
    add.Unknown("the reply does not say how long the prompt was");
    return cost;
  }
  add.Add(usage.in_total, prices.in, "input", cost.uncached);
  add.Add(usage.out_total, prices.out, "output", cost.output);
  if (!usage.out_total.present()) add.LowerBound("output tokens not reported");
  return cost;
}

Json ToJson(const Cost& cost) {
  Json out = Json::object();
  out["kind"] = CostKindName(cost.kind);
  bool known = cost.kind != Cost::Kind::kUnknown;
  out["usd"] = known ? Json(ToText(cost.total)) : Json();
  if (known) {
    out["parts"] = {{"uncached", ToText(cost.uncached)},
                    {"read", ToText(cost.read)},
                    {"writes", ToText(cost.writes)},
                    {"output", ToText(cost.output)}};
  }
  out["notes"] = cost.notes;
  return out;
}

}  // namespace helix::cost
