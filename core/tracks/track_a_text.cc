#include "core/tracks/track_a_text.h"

#include <fmt/format.h>

#include "core/base/count_text.h"
#include "core/base/json_fields.h"

namespace helix::tracks {
namespace {

std::string SkipText(const Json& result) {
  return fmt::format("Track A: SKIP ({})\n  {}\n  It would run if: {}\n",
                     StringAt(result, "skip_code").value_or(""), StringAt(result, "skip_reason").value_or(""),
                     StringAt(result, "would_run_if").value_or(""));
}

void RatioLine(std::string& out, const Json& result, const char* field, const char* name,
               const char* meaning) {
  const auto value = NumberAt(result, std::string(field) + "/value");
  const auto low = NumberAt(result, std::string(field) + "/ci_low");
  const auto high = NumberAt(result, std::string(field) + "/ci_high");
  if (value && low && high) {
    out += fmt::format("  {:<17} {:7.2f}  [{:.2f}, {:.2f}]  {}\n", name, *value, *low, *high, meaning);
  } else {
    out += fmt::format("  {:<17} not reported          {}\n", name, meaning);
  }
}

void NumberLine(std::string& out, const Json& result, const char* field, const char* name,
                const char* meaning) {
  if (const auto value = NumberAt(result, field)) {
    out += fmt::format("  {:<17} {:7.2f}                {}\n", name, *value, meaning);
  }
}

std::string Cell(const Json& arm, const char* field, int digits) {
  const auto value = NumberAt(arm, field);
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

void ArmLine(std::string& out, const Json& result, const char* name, const char* meaning) {
  const Json* arm = Find(result, name);
  if (arm == nullptr) return;
  out += fmt::format(
      "  {:<4} {:>3} calls, {} failed | reused at most {:>5} | TTFT p50 {:>9} ms, {} {:>9} ms | "
      "prefill p50 {:>9} ms | total p50 {:>9} ms | decode {:>7} tokens/s | {} ({})\n",
      name, Cell(*arm, "n", 0), Cell(*arm, "failed", 0), Cell(*arm, "cached_max", 0),
      Cell(*arm, "ttft_ms_p50", 2), BoolAt(*arm, "p95_is_max").value_or(true) ? "max" : "p95",
      Cell(*arm, "ttft_ms_p95", 2), Cell(*arm, "prefill_ms_p50", 2), Cell(*arm, "total_ms_p50", 2),
      Cell(*arm, "decode_tokens_per_s", 1), StringAt(*arm, "verified").value_or("not verified"), meaning);
}

void Equivalence(std::string& out, const Json& result) {
  const auto cls = StringAt(result, "equivalence/class");
  if (!cls) {
    out += "  answers           not compared          no pair finished\n";
  } else if (*cls == "EXACT") {
    out +=
        "  answers           EXACT                 every cached answer is the fresh one, token for token\n";
  } else {
    out += fmt::format(
        "  answers           {:<21} equality is not shown by this run: helix-perf-cache check-equivalence\n",
        *cls);
  }
}

void Findings(std::string& out, const Json& result) {
  const Json* findings = Find(result, "findings");
  if (findings == nullptr || !findings->is_array() || findings->empty()) return;
  out += "\nFindings\n";
  for (const Json& finding : *findings) {
    out += fmt::format("  {} {}: seen {}; expected {}. {}\n", StringAt(finding, "severity").value_or(""),
                       StringAt(finding, "code").value_or(""), StringAt(finding, "seen").value_or(""),
                       StringAt(finding, "expected").value_or(""), StringAt(finding, "to_do").value_or(""));
  }
}

}  // namespace

std::string TrackAText(const Json& result) {
  if (StringAt(result, "verdict") == "SKIP") return SkipText(result);
  std::string out;
  if (const Json* notices = Find(result, "notices"); notices != nullptr && notices->is_array()) {
    for (const Json& notice : *notices) {
      if (notice.is_string()) out += "*** " + notice.get<std::string>() + " ***\n";
    }
  }
  out += fmt::format(
      "Track A, prefix cache: {}\n  {}\n  model: {}\n  {} pairs; each ratio is off / on, with its 95 % "
      "interval\n\n",
      StringAt(result, "verdict").value_or("?"), StringAt(result, "reason").value_or(""),
      StringAt(result, "model").value_or("?"), CountText(result, "pairs"));
  RatioLine(out, result, "prefill_ratio", "prefill ratio",
            "the server's own prompt time: what the cache skips");
  RatioLine(out, result, "ttft_ratio", "TTFT ratio", "what the client waits for the first token");
  RatioLine(out, result, "end_to_end_ratio", "end-to-end ratio",
            "the whole answer, decoding included: what a user feels");
  RatioLine(out, result, "decode_ratio", "decode ratio",
            "a prefix cache cannot change decoding: this must be near 1");
  NumberLine(out, result, "skip_bound", "skip bound n/u",
             "prompt tokens over computed tokens: no prefill ratio can be above it");
  NumberLine(out, result, "skipped_share", "skipped share",
             "part of the prompt that the server did not compute again");
  NumberLine(out, result, "noise_floor", "noise floor",
             "what two equal cold calls differ by: smaller effects are noise");
  NumberLine(out, result, "minimum_detectable", "detectable from",
             "the smallest TTFT ratio that this many pairs and this noise can show");
  if (BoolAt(result, "estimators_disagree").value_or(false)) {
    out += "  warning           the estimators of the TTFT ratio differ by more than 5 %: see the report\n";
  }
  Equivalence(out, result);
  out += "\n";
  ArmLine(out, result, "off", "cache not used");
  ArmLine(out, result, "on", "prefix in the cache");
  if (const auto why = StringAt(result, "stopped_because")) out += "\nThe run stopped early: " + *why + "\n";
  Findings(out, result);
  out += fmt::format("\nReport {}\nSHA-256 {}\n", StringAt(result, "report_path").value_or(""),
                     StringAt(result, "report_sha256").value_or(""));
  return out;
}

}  // namespace helix::tracks
