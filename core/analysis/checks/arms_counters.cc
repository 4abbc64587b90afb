// Group A, whether the counters are possible and fit the clock.
#include <cmath>

#include "core/analysis/checks/arms_checks.h"
#include "core/analysis/checks/each.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {
namespace {}  // namespace

void CachedBeyondPrompt(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.cached_n) && Has(s.prompt_tokens); };
  EachSample(in, out, "server/cached_n", has, [&](const SampleView& s) {
    if (s.cached_n >= 0 && s.cached_n < s.prompt_tokens) return;
    out.Find(s.Pointer("server/cached_n"), Text(s.cached_n),
             "0 to prompt_tokens - 1 = " + Text(s.prompt_tokens - 1),
             "at least one token is always evaluated: read the counter again, or another one");
  });
}

namespace {

bool ShiftsChunks(const CheckInput& in) {
  for (const char* name :
       {"backend/flags/cache_reuse", "backend/flags/n_cache_reuse", "backend/flags/--cache-reuse"}) {
    if (NumberAt(*in.report.root, name).value_or(0) > 0) return true;
  }
  return false;
}

}  // namespace

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
  const Statistics& all = in.statistics;
  if (!all.prefill && !all.ttft) return out.Missing("server/prompt_ms");
  if (!in.statistics.skip_bound) return out.Missing("server/cached_n");
  // The TTFT holds the prefill and more, so it can gain no larger factor.
  for (const auto& [ratio, name] : {std::pair(&all.prefill, "prefill"), std::pair(&all.ttft, "TTFT")}) {
    if (!*ratio || !(*ratio)->ratio.has_interval) continue;
    if ((*ratio)->ratio.ci_low <= 1.10 * *all.skip_bound) continue;
    out.Find(
        "/samples", std::string(name) + " ratio at least " + Text((*ratio)->ratio.ci_low),
        "at most 1.10 x prompt tokens / evaluated tokens = " + Text(1.10 * *all.skip_bound),
        "skipping tokens cannot save more than their share: look for another difference between the arms");
  }
}

}  // namespace helix::analysis::checks
