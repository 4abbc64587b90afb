#include "core/consistency/further_breaks.h"

#include <algorithm>

#include "core/consistency/advice_table.h"
#include "core/consistency/pair_diagnosis.h"
#include "core/consistency/volatile_text.h"

namespace helix::consistency {
namespace {

constexpr int kMostBreaks = 8;

// Replaces b's differing piece of text by a's; the whole text when no detector knows the piece.
void MendText(const std::string& a, std::string& b) {
  const auto change = ExplainTextChange(a, b);
  if (!change) {
    b = a;
    return;
  }
  b = b.substr(0, change->b.begin) + a.substr(change->a.begin, change->a.end - change->a.begin) +
      b.substr(change->b.end);
}

bool IsHistory(const std::string& verdict) {
  return verdict.rfind("HISTORY_", 0) == 0 || verdict == "REASONING_DROPPED" ||
         verdict.rfind("BREAKPOINT_", 0) == 0;
}

bool IsOneText(const Divergence& at) {
  return at.part != Part::kModel && at.part != Part::kTools && at.a && at.b && at.a->is_string() &&
         at.b->is_string();
}

bool CanMend(const Divergence& at, const Cause& cause) {
  return !IsHistory(cause.verdict) && (IsOneText(at) || at.part != Part::kMessages);
}

// Changes b so that this break is gone.
void Mend(const RequestBody& a, RequestBody& b, const Divergence& at) {
  if (!IsOneText(at)) {
    const std::string key = a.Pointer(at.part).substr(1);
    const Json* value = a.Get(at.part);
    if (value) {
      b.body[key] = *value;
    } else {
      b.body.erase(key);
    }
    return;
  }
  Json& text = b.body[Json::json_pointer(at.pointer)];
  std::string mended = text.get<std::string>();
  MendText(at.a->get_ref<const std::string&>(), mended);
  text = mended;
}

Json BreakJson(const Divergence& at, const Cause& cause) {
  return Json{{"verdict", cause.verdict},
              {"first_divergence", at.pointer},
              {"detector", cause.detector.empty() ? Json(nullptr) : Json(cause.detector)},
              {"fact", cause.evidence},
              {"setting", AdviceJson(cause.verdict, "")["setting"]}};
}

}  // namespace

Json FurtherBreaks(const RequestBody& a, const RequestBody& b, const Divergence& first, const Cause& why) {
  Json breaks = Json::array();
  if (!CanMend(first, why)) return breaks;  // before b is copied: it may be large
  RequestBody mended = b;
  Mend(a, mended, first);
  for (int i = 0; i < kMostBreaks; ++i) {
    const auto at = FirstDivergence(a, mended);
    if (!at) break;
    const Cause cause = ExplainDivergence(a, mended, *at);
    breaks.push_back(BreakJson(*at, cause));
    if (!CanMend(*at, cause)) break;
    Mend(a, mended, *at);
  }
  return breaks;
}

}  // namespace helix::consistency
