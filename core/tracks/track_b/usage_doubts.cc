#include "core/tracks/track_b/usage_doubts.h"

#include <set>

namespace helix::tracks {
namespace {

// A template, or a system text that a gateway adds, may come on top of the bytes.
constexpr std::int64_t kAddedByOthers = 2048;

class Doubts {
 public:
  void Add(const std::string& code, std::size_t call, const std::string& what) {
    if (!seen_.insert(code).second) return;
    list_.push_back({{"code", code}, {"reason", "call " + std::to_string(call) + " " + what}});
  }
  [[nodiscard]] const Json& list() const { return list_; }

 private:
  std::set<std::string> seen_;
  Json list_ = Json::array();
};

void Look(const TrackBCall& call, std::size_t at, Doubts& doubts) {
  const auto& usage = call.reply.reply.usage;
  if (usage.HasFlag("invalid_counter"))
    doubts.Add("invalid_counter", at, "carries a counter that is no whole number from 0 to 2^53");
  if (usage.HasFlag("cached_exceeds_prompt"))
    doubts.Add("cached_gt_prompt", at, "says that more was read from the cache than the prompt holds");
  const auto bytes = static_cast<std::int64_t>(call.reply.request_body.size());
  if (usage.in_total.present() && usage.in_total.value().count > bytes + kAddedByOthers)
    doubts.Add("usage_exceeds_request", at,
               "counts " + std::to_string(usage.in_total.value().count) + " prompt tokens; its request has " +
                   std::to_string(bytes) + " bytes");
  if (usage.in_total.present() && usage.in_total.value().count == 0)
    doubts.Add("usage_all_zero", at, "counts 0 prompt tokens and has an answer");
  const std::int64_t limit = call.planned.request.output_tokens;
  if (usage.out_total.present() && usage.out_total.value().count > 2 * limit + 16)
    doubts.Add("output_exceeds_limit", at,
               "counts " + std::to_string(usage.out_total.value().count) + " output tokens; the limit was " +
                   std::to_string(limit));
}

}  // namespace

Json UsageDoubts(const TrackBRun& run) {
  Doubts doubts;
  for (std::size_t i = 0; i < run.calls.size(); ++i) {
    if (run.calls[i].reply.ok) Look(run.calls[i], i, doubts);
  }
  return doubts.list();
}

}  // namespace helix::tracks
