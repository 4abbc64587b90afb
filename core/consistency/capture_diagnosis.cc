#include "core/consistency/capture_diagnosis.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"
#include "core/consistency/pair_diagnosis.h"
#include "core/consistency/shared_bytes.h"

namespace helix::consistency {
namespace {

constexpr std::size_t kLookBack = 16;  // earlier requests that are compared with each

struct Rendered {
  std::size_t exchange = 0;
  RequestBody request;
  std::string bytes;
};

// A request that holds less than this share of the longest one is a side request (a title, a quota check).
constexpr double kSideShare = 0.2;

std::vector<Rendered> Render(const std::vector<CapturedExchange>& exchanges) {
  std::vector<Rendered> rendered;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    if (exchanges[i].path.find("count_tokens") != std::string::npos) continue;
    auto request = ReadRequestBody(exchanges[i].request);
    if (!request) continue;
    std::string bytes = RenderForComparison(*request, RenderOrder::kToolsFirst);
    rendered.push_back({i, std::move(*request), std::move(bytes)});
  }
  return rendered;
}

// The earlier request of like size that shares most: the one whose cache the server can use. The newest wins
// a tie.
const Rendered* BestBefore(const std::vector<Rendered>& all, std::size_t now) {
  const Rendered* best = nullptr;
  std::size_t most = 0;
  const std::size_t first = now > kLookBack ? now - kLookBack : 0;
  for (std::size_t i = first; i < now; ++i) {
    const double size = static_cast<double>(all[i].bytes.size());
    if (size < kSideShare * static_cast<double>(all[now].bytes.size())) continue;
    const std::size_t common = CompareBytes(all[i].bytes, all[now].bytes).common;
    if (!best || common >= most) {
      best = &all[i];
      most = common;
    }
  }
  return best;
}

void AddUsage(const CapturedExchange& exchange, Json& turn, Json& totals) {
  auto reply = ReplyOf(exchange);
  // llama-server's message_start counts no prompt token at all, before the prompt was read: a request with
  // messages has some, so that this is not reported and no zero.
  if (reply && usage::CountOf(reply->usage.in_total) == 0) {
    turn["usage_note"] = "the reply counts no prompt tokens at all: its input counters are not reported";
    reply->usage.in_total = reply->usage.in_uncached = reply->usage.cache_read = {};
    reply->usage.cache_write_5m = reply->usage.cache_write_1h = reply->usage.cache_write_other = {};
  }
  const auto put = [&](const char* name, const Measured<Tokens>& tokens) {
    const auto count = usage::CountOf(tokens);
    turn[name] = OrNull(count);
    if (count) totals[name] = totals.value(name, std::int64_t{0}) + *count;
  };
  const usage::Usage none;
  const usage::Usage& found = reply ? reply->usage : none;
  put("prompt", found.in_total);
  put("read", found.cache_read);
  put("written", found.Writes());
  put("uncached", found.in_uncached);
  put("output", found.out_total);
}

Json Break(const Json& diagnosis, std::size_t exchange, std::size_t before) {
  Json out{{"exchange", exchange}, {"compared_with", before}};
  for (const char* key :
       {"verdict", "first_divergence", "shared", "cause", "advice", "further_breaks", "divergence"})
    if (const Json* value = Find(diagnosis, key)) out[key] = *value;
  out["lost_bytes"] = OrNull(IntAt(diagnosis, "lost/bytes"));
  return out;
}

}  // namespace

Result<Json> DiagnoseCapture(const std::vector<CapturedExchange>& exchanges, const std::string& backend) {
  const auto rendered = Render(exchanges);
  Json turns = Json::array();
  Json breaks = Json::array();
  Json totals = Json::object();
  std::size_t compared = 0;
  for (std::size_t i = 0; i < rendered.size(); ++i) {
    const CapturedExchange& exchange = exchanges[rendered[i].exchange];
    Json turn{{"exchange", rendered[i].exchange},
              {"path", exchange.path},
              {"status", exchange.status},
              {"request_bytes", rendered[i].bytes.size()}};
    AddUsage(exchange, turn, totals);
    turn["verdict"] = nullptr;
    if (const Rendered* before = BestBefore(rendered, i)) {
      ++compared;
      PairInput pair{before->request, rendered[i].request, "", backend, {}, {}, {}};
      auto diagnosis = DiagnosePair(pair);
      if (!diagnosis) return diagnosis;
      const std::string verdict = StringAt(*diagnosis, "verdict").value_or("");
      turn["verdict"] = verdict;
      if (verdict.rfind("OK_", 0) != 0)
        breaks.push_back(Break(*diagnosis, rendered[i].exchange, before->exchange));
    }
    turns.push_back(std::move(turn));
  }
  std::stable_sort(breaks.begin(), breaks.end(),
                   [](const Json& x, const Json& y) { return x["lost_bytes"] > y["lost_bytes"]; });
  Json out;
  out["verdict"] = !breaks.empty() ? breaks[0]["verdict"] : Json(compared ? "OK_APPEND_ONLY" : "UNCONFIRMED");
  out["source"] = "capture";
  out["exchanges"] = exchanges.size();
  out["totals"] = std::move(totals);
  out["breaks"] = std::move(breaks);
  out["turns"] = std::move(turns);
  return out;
}

}  // namespace helix::consistency
