#include "core/usage/usage.h"

#include <algorithm>

namespace helix::usage {
namespace {

class Writer {
 public:
  void Put(const char* name, const Measured<Tokens>& count) {
    Place(name, count.present(), count.present() ? Json(count.value().count) : Json(), count.origin());
  }
  void Put(const char* name, const Measured<Usd>& cost) {
    Place(name, cost.present(), cost.present() ? Json(cost.value().count) : Json(), cost.origin());
  }
  void Put(const char* name, const Measured<double>& value) {
    Place(name, value.present(), value.present() ? Json(value.value()) : Json(), value.origin());
  }
  Json Take(const Reply& reply) {
    out_["visibility"] = VisibilityName(reply.usage.visibility);
    out_["flags"] = reply.usage.flags;
    out_["origins"] = std::move(origins_);
    return std::move(out_);
  }

 private:
  void Place(const char* name, bool present, Json value, Origin origin) {
    out_[name] = std::move(value);
    if (present) origins_[name] = origin == Origin::kServer ? "reported" : OriginName(origin);
  }
  Json out_ = Json::object();
  Json origins_ = Json::object();
};

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace

const char* VisibilityName(Visibility visibility) {
  switch (visibility) {
    case Visibility::kReported:
      return "reported";
    case Visibility::kDerived:
      return "derived";
    case Visibility::kNull:
      return "null";
    case Visibility::kAbsent:
      return "absent";
    case Visibility::kNoReply:
      return "n/a";
  }
  return "absent";
}

void Usage::AddFlag(std::string_view flag) {
  if (!HasFlag(flag)) flags.emplace_back(flag);
}

void Usage::RemoveFlag(std::string_view flag) {
  std::erase(flags, flag);
}

bool Usage::HasFlag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

Measured<Tokens> Usage::Writes() const {
  Measured<Tokens> sum;
  for (const auto* part : {&cache_write_5m, &cache_write_1h, &cache_write_other}) {
    if (!part->present()) continue;
    sum = sum.present() ? Measured<Tokens>(sum.value() + part->value(), Origin::kDerived) : *part;
  }
  return sum;
}

Json ToJson(const Reply& reply) {
  const Usage& u = reply.usage;
  Writer writer;
  writer.Put("in_total", u.in_total);
  writer.Put("in_uncached", u.in_uncached);
  writer.Put("cache_read", u.cache_read);
  writer.Put("cache_write_5m", u.cache_write_5m);
  writer.Put("cache_write_1h", u.cache_write_1h);
  writer.Put("cache_write_other", u.cache_write_other);
  writer.Put("out_total", u.out_total);
  writer.Put("out_reasoning", u.out_reasoning);
  writer.Put("reported_cost", u.reported_cost);
  writer.Put("prefill_ms", u.prefill_ms);
  writer.Put("decode_ms", u.decode_ms);
  writer.Put("prefilled", u.prefilled);
  Json out = writer.Take(reply);
  out["shape"] = TextOrNull(reply.shape);
  out["source"] = TextOrNull(reply.source);
  out["model"] = TextOrNull(reply.model);
  out["id"] = TextOrNull(reply.id);
  out["provider_name"] = TextOrNull(reply.provider_name);
  out["finish"] = TextOrNull(reply.finish);
  out["error"] = TextOrNull(reply.error);
  out["ttft_ms"] = reply.ttft_ms ? Json(*reply.ttft_ms) : Json();
  out["wall_ms"] = reply.wall_ms ? Json(*reply.wall_ms) : Json();
  return out;
}

}  // namespace helix::usage
