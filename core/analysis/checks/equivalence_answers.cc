// Group E, the two answers that are compared.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/analysis/checks/equivalence_checks.h"
#include "core/analysis/checks/equivalence_pairs.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {
namespace {

bool SameString(const Json& a, const Json& b, const char* field) {
  auto x = StringAt(a, field);
  return x && x == StringAt(b, field);
}

}  // namespace

void SameResponse(const CheckInput& in, Reporter& out) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json&, const Json& cached, const Json& fresh) {
    bool same = SameString(cached, fresh, "raw_sha256") || SameString(cached, fresh, "request_id");
    bool known = StringAt(cached, "raw_sha256") && StringAt(fresh, "raw_sha256");
    if (!same && !known) return out.Missing(At(i, "fresh/raw_sha256").substr(1));
    if (!same) return;
    out.Find(At(i, "fresh"), "the same response as the cached side", "a response of its own",
             "ask twice; an answer is always equal to itself");
  });
}

namespace {

// Which of the two sides were served from the cache.
template <typename Test>
void EachReuse(const CheckInput& in, Reporter& out, Test test) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json&, const Json& cached, const Json& fresh) {
    auto c = NumberAt(cached, "cached_n");
    auto f = NumberAt(fresh, "cached_n");
    if (!c || !f) return out.Missing(At(i, "fresh/cached_n").substr(1));
    test(i, *c, *f);
  });
}

}  // namespace

void FreshWasCached(const CheckInput& in, Reporter& out) {
  EachReuse(in, out, [&](std::size_t i, double cached, double fresh) {
    if (fresh <= in.cold_allow || cached > in.cold_allow) return;
    out.Find(At(i, "fresh/cached_n"), Text(fresh), "at most " + Text(in.cold_allow),
             "make the fresh answer without the cache");
  });
}

void RepeatedCachedRun(const CheckInput& in, Reporter& out) {
  EachReuse(in, out, [&](std::size_t i, double cached, double fresh) {
    if (fresh <= in.cold_allow || cached <= in.cold_allow) return;
    out.Find(At(i, "fresh/cached_n"), Text(fresh) + " on both sides' own count",
             "at most " + Text(in.cold_allow),
             "a cached answer that repeats itself is not shown to be right: make one side fresh");
  });
}

void CachedWasFresh(const CheckInput& in, Reporter& out) {
  EachReuse(in, out, [&](std::size_t i, double cached, double) {
    if (cached > in.cold_allow) return;
    out.Find(At(i, "cached/cached_n"), Text(cached), "more than " + Text(in.cold_allow),
             "prime the cache first: two fresh answers say nothing about it");
  });
}

void EmptyOutput(const CheckInput& in, Reporter& out) {
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    if (!c.empty() && !f.empty()) return;
    out.Find(At(i, c.empty() ? "cached/tokens" : "fresh/tokens"), "no token", "an answer",
             "ask for at least min_tokens tokens");
  });
}

void TooFewTokens(const CheckInput& in, Reporter& out) {
  auto least = NumberAt(in.report.Equivalence(), "min_tokens").value_or(16);
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    std::size_t n = std::min(c.size(), f.size());
    if (n == 0 || static_cast<double>(n) >= least) return;
    out.Find(At(i, "cached/tokens"), std::to_string(n) + " tokens", "at least " + Text(least),
             "compare longer answers; a few tokens agree by chance");
  });
}

namespace {

bool Degenerate(const Json& tokens) {
  if (tokens.size() < 8) return false;
  std::map<std::string, double> count;
  for (const auto& token : tokens) ++count[DumpJson(token)];
  double entropy = 0;
  for (const auto& [token, n] : count) {
    double p = n / static_cast<double>(tokens.size());
    entropy -= p * std::log2(p);
  }
  return count.size() <= 2 || entropy < 1;
}

}  // namespace

void DegenerateOutput(const CheckInput& in, Reporter& out) {
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    if (!Degenerate(c) && !Degenerate(f)) return;
    out.Find(At(i, "cached/tokens"), "the same one or two tokens over and over", "varied tokens",
             "use prompts that make the model say something");
  });
}

namespace {

bool IsSet(const Json* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_string()) return !value->get_ref<const std::string&>().empty() && *value != "none";
  return true;
}

}  // namespace

void NormalisedText(const CheckInput& in, Reporter& out) {
  if (Pairs(in) == nullptr) return out.Missing("equivalence/pairs");
  const Json* top = Find(in.report.Equivalence(), "normalised");
  if (IsSet(top))
    out.Find("/equivalence/normalised", DumpJson(*top), "bytes or token ids as they came",
             "compare before any clean-up");
  EachEquivalencePair(in, out, [&](std::size_t i, const Json& pair, const Json&, const Json&) {
    const Json* own = Find(pair, "normalised");
    if (IsSet(own))
      out.Find(At(i, "normalised"), DumpJson(*own), "bytes or token ids as they came",
               "compare before any clean-up");
  });
}

void PrefixOnly(const CheckInput& in, Reporter& out) {
  auto top = NumberAt(in.report.Equivalence(), "compared_prefix");
  EachTokenPair(in, out, [&](std::size_t i, const Json& pair, const Json& c, const Json& f) {
    auto compared = NumberAt(pair, "compared_prefix");
    if (!compared) compared = top;
    auto length = static_cast<double>(std::max(c.size(), f.size()));
    if (!compared || *compared >= length) return;
    out.Find(At(i, "compared_prefix"), Text(*compared) + " tokens compared", Text(length),
             "compare whole answers");
  });
}

void ClaimFalse(const CheckInput& in, Reporter& out) {
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    if (c == f || c.empty() != f.empty() || !Claims(in)) return;
    std::size_t at = 0;
    while (at < std::min(c.size(), f.size()) && c[at] == f[at]) ++at;
    out.Find(At(i, "cached/tokens/") + std::to_string(at), at < c.size() ? DumpJson(c[at]) : "the end",
             at < f.size() ? DumpJson(f[at]) : "the end",
             "the answers differ: report the divergence instead of equality");
  });
}

void PromptInsensitive(const CheckInput& in, Reporter& out) {
  std::set<std::string> prompts;
  std::set<std::string> answers;
  EachTokenPair(in, out, [&](std::size_t i, const Json& pair, const Json& c, const Json&) {
    auto prompt = StringAt(pair, "prompt_sha256");
    if (!prompt) return out.Missing(At(i, "prompt_sha256").substr(1));
    prompts.insert(*prompt);
    answers.insert(DumpJson(c));
  });
  if (prompts.size() < 3 || answers.size() != 1) return;
  out.Find("/equivalence/pairs", std::to_string(prompts.size()) + " prompts, one answer",
           "answers that depend on the prompt",
           "this model cannot show a corrupted cache: use another, or other prompts");
}

void SameSlot(const CheckInput& in, Reporter& out) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json& pair, const Json& cached, const Json& fresh) {
    auto a = NumberAt(cached, "slot");
    auto b = NumberAt(fresh, "slot");
    if (!a || !b) return out.Missing(At(i, "fresh/slot").substr(1));
    bool flushed = BoolAt(fresh, "flushed").value_or(false) || BoolAt(pair, "flushed").value_or(false) ||
                   StringAt(fresh, "cold_method") || StringAt(in.report.Equivalence(), "cold_method");
    if (*a != *b || flushed) return;
    out.Find(At(i, "fresh/slot"), "slot " + Text(*b) + " on both sides, no flush recorded",
             "another slot, or a flush", "flush the slot, or record cold_method");
  });
}

}  // namespace helix::analysis::checks
