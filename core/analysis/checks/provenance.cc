// Group F: provenance.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/merkle.h"

namespace helix::analysis {
namespace {

void EvidenceHash(const CheckInput& in, Reporter& out) {
  const Json* evidence = Find(*in.report.root, "evidence");
  if (evidence == nullptr || !evidence->is_object()) return out.Missing("evidence");
  for (auto it = evidence->begin(); it != evidence->end(); ++it) {
    if (it->is_string() && evidence::Sha256Hex(it->get_ref<const std::string&>()) == it.key()) continue;
    out.Find("/evidence/" + it.key(),
             it->is_string() ? "text that hashes to " + evidence::Sha256Hex(it->get_ref<const std::string&>())
                             : "no text",
             it.key(), "the evidence was changed after it was recorded");
  }
}

void Merkle(const CheckInput& in, Reporter& out) {
  auto stated = StringAt(*in.report.root, "merkle_root");
  if (!stated) return out.Missing("merkle_root");
  auto leaves = LeavesInSeqOrder(in.report);
  if (leaves.empty() && !in.report.sequence.empty()) return out.Missing("raw_sha256");
  evidence::Digest root{};
  if (!evidence::MerkleRootOfHexDigests(leaves, root)) {
    return out.Find("/samples", "a raw_sha256 that is no digest", "64 lower-case hexadecimal digits",
                    "record the SHA-256 of the reply's bytes");
  }
  if (evidence::Hex(root) == *stated) return;
  out.Find("/merkle_root", *stated, evidence::Hex(root) + ", computed from raw_sha256 in seq order",
           "a row or the root was changed after the run");
}

void PlanChanged(const CheckInput& in, Reporter& out) {
  auto stated = StringAt(*in.report.root, "plan_sha256");
  const Json* plan = Find(*in.report.root, "plan");
  if (!stated || plan == nullptr) return out.Missing("plan_sha256");
  std::string now = evidence::Sha256Hex(evidence::CanonicalJson(*plan));
  if (now == *stated) return;
  out.Find("/plan", "hashes to " + now, *stated, "the plan was changed after it was hashed");
}

void PlanAfterData(const CheckInput& in, Reporter& out) {
  auto planned = NumberAt(*in.report.root, "t_plan_ns");
  if (!planned) return out.Missing("t_plan_ns");
  for (std::size_t i : SeqOrder(in.report)) {
    const SampleView& first = in.report.at(i);
    if (!Has(first.t_send_ns)) continue;
    if (*planned <= first.t_send_ns) return;
    return out.Find("/t_plan_ns", Text(*planned), "before the first call, " + Text(first.t_send_ns),
                    "write the plan before you measure");
  }
  out.Missing("client/t_send_ns");
}

bool ClaimsPass(const CheckInput& in) {
  return StringAt(*in.report.root, "verdict") == "PASS";
}

void PassWithoutSamples(const CheckInput& in, Reporter& out) {
  if (!ClaimsPass(in) || !in.report.sequence.empty()) return;
  out.Find("/verdict", "PASS without one finished call", "samples", "measure before you judge");
}

void SkipAsPass(const CheckInput& in, Reporter& out) {
  // Whatever the report says of itself, skipped calls keep a PASS from being given.
  Severity severity = ClaimsPass(in) ? Severity::kFail : Severity::kInconclusive;
  for (const auto& s : in.report.samples) {
    if (s.status != "skip" && s.status != "skipped" && s.status != "SKIP") continue;
    out.FindAs(severity, s.Pointer("status"), std::string(s.status) + (ClaimsPass(in) ? " under PASS" : ""),
               "no skipped call", "a skip is not a pass: measure it or report SKIP");
  }
}

void NoRequestIds(const CheckInput& in, Reporter& out) {
  if (!IsHosted(in)) return;
  for (std::size_t i : in.report.sequence) {
    const SampleView& s = in.report.at(i);
    if (Has(s.request_id) && !s.request_id.empty()) continue;
    out.Find(s.Pointer("server/request_id"), "nothing", "the provider's request id",
             "record the id, so that the provider can confirm the call");
  }
}

void TokensEstimated(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.tokens_source); };
  EachSample(in, out, "tokens_source", has, [&](const SampleView& s) {
    if (s.tokens_source.substr(0, 8) != "estimate") return;
    out.Find(s.Pointer("tokens_source"), std::string(s.tokens_source), "server or tokenizer",
             "count tokens with the model's own tokenizer");
  });
}

struct Prefilled {
  double prompt = 0;
  double processed = 0;
  double ms = 0;
};

Prefilled SumOf(const CheckInput& in, const std::vector<std::size_t>& rows) {
  Prefilled out;
  for (std::size_t i : rows) {
    const SampleView& s = in.report.at(i);
    if (!s.ok() || !Has(s.prompt_tokens) || !Has(s.processed_n) || !Has(s.prompt_ms)) continue;
    out.prompt += s.prompt_tokens;
    out.processed += s.processed_n;
    out.ms += s.prompt_ms;
  }
  return out;
}

void CachedAsProcessed(const CheckInput& in, Reporter& out) {
  auto claimed = NumberAt(in.report.Claim(), "tokens_per_s_prefill");
  if (!claimed) return out.Missing("claim/tokens_per_s_prefill");
  for (const auto* rows : {&in.report.on, &in.report.sequence}) {
    Prefilled sum = SumOf(in, *rows);
    if (sum.ms <= 0) {
      out.Missing("server/prompt_ms");
      continue;
    }
    double inflated = sum.prompt / sum.ms * 1000;
    double right = sum.processed / sum.ms * 1000;
    if (!Near(*claimed, inflated, 1e-3) || Near(*claimed, right, 1e-3)) continue;
    return out.Find("/claim/tokens_per_s_prefill", Text(*claimed),
                    Text(right) + ", counting the tokens that were evaluated",
                    "do not count reused tokens as work");
  }
}

void SavingWithoutUsage(const CheckInput& in, Reporter& out) {
  auto saved = NumberAt(in.report.Claim(), "saved_usd");
  if (!saved) return out.Missing("claim/saved_usd");
  bool usage = Find(in.report.Claim(), "usage") != nullptr;
  bool priced = StringAt(in.report.Claim(), "price_table_date").has_value();
  if (usage && priced) return;
  out.Find("/claim/saved_usd",
           Text(*saved) + (usage ? " from an undated price table" : " without a usage record"),
           "the provider's usage and a dated price table",
           "compute the saving from reported usage, and date the prices");
}

// "12x faster", "88 %", "speedup: 3".
bool CarriesClaim(const std::string& key, const Json& value) {
  static const std::regex text("([0-9]\\s*(x\\b|\xC3\x97|%))|faster|speed-?up|quicker|cheaper",
                               std::regex::icase);
  static const std::regex name("speed|faster|saving|saved|gain|ratio|rate", std::regex::icase);
  if (value.is_string()) return std::regex_search(value.get_ref<const std::string&>().substr(0, 2000), text);
  if (value.is_number()) return std::regex_search(key, name);
  if (!value.is_structured()) return false;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (CarriesClaim(value.is_object() ? it.key() : key, *it)) return true;
  }
  return false;
}

const Json* At(const Json& root, const std::string& pointer) {
  Json::json_pointer at(pointer);
  return root.contains(at) ? &root.at(at) : nullptr;
}

void ClaimInExtraField(const CheckInput& in, Reporter& out) {
  for (const auto& pointer : in.report.unknown) {
    const Json* value = At(*in.report.root, pointer);
    bool number_of_the_claim = value != nullptr && value->is_number() && pointer.rfind("/claim/", 0) == 0;
    std::string key = pointer.substr(pointer.find_last_of('/') + 1);
    if (value == nullptr || !(number_of_the_claim || CarriesClaim(key, *value))) continue;
    out.Find(pointer, DumpJson(*value).substr(0, 80), "claims in /claim alone",
             "a number outside the schema is checked by nobody: remove it");
  }
  // Free text of the schema: sentences for a reader, which no number of the samples stands behind.
  if (const Json* notice = Find(*in.report.root, "notice");
      notice != nullptr && CarriesClaim("notice", *notice)) {
    out.Find("/notice", DumpJson(*notice).substr(0, 80), "claims in /claim alone",
             "a number outside the claim is checked by nobody: remove it");
  }
}

bool Unreadable(const Json& value) {
  if (value.is_number_float()) return !std::isfinite(value.get<double>());
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() > (std::uint64_t{1} << 53);
  if (!value.is_structured()) return false;
  return std::any_of(value.begin(), value.end(), [](const Json& item) { return Unreadable(item); });
}

void Unparseable(const CheckInput& in, Reporter& out) {
  const Json& root = *in.report.root;
  if (!root.is_object())
    return out.Find("", "no JSON object", "a report of the schema helix.report/1", "pass a report file");
  if (Unreadable(root))
    return out.Find("", "a number that two programs can read differently",
                    "finite numbers, integers within 2^53", "write such values as text");
  auto schema = StringAt(root, "schema");
  if (schema != "helix.report/1") out.Missing("schema");
}

void Replayed(const CheckInput& in, Reporter& out) {
  auto root = StringAt(*in.report.root, "merkle_root");
  const Json* history = Find(*in.report.root, "history");
  if (!root || history == nullptr || !history->is_array()) return out.Missing("history");
  auto id = StringAt(*in.report.root, "run_id");
  for (const auto& run : *history) {
    if (StringAt(run, "merkle_root") != root || StringAt(run, "run_id") == id) continue;
    return out.Find("/merkle_root", "the evidence of run " + StringAt(run, "run_id").value_or("?"),
                    "evidence of its own", "an old recording under a new name: measure again");
  }
}

void HitRateMisweighted(const CheckInput& in, Reporter& out) {
  auto claimed = NumberAt(in.report.Claim(), "hit_rate");
  if (!claimed) return out.Missing("claim/hit_rate");
  double cached = 0;
  double prompt = 0;
  bool trivial = false;
  for (std::size_t i : in.report.on) {
    const SampleView& s = in.report.at(i);
    if (!s.ok()) continue;
    if (!Has(s.cached_n) || !Has(s.prompt_tokens)) return out.Missing("server/cached_n");
    cached += s.cached_n;
    prompt += s.prompt_tokens;
    trivial = trivial || (s.cached_n > 0 && s.cached_n <= in.cold_allow);
  }
  if (prompt <= 0 || trivial || Near(*claimed, cached / prompt, 1e-6)) return;
  out.Find("/claim/hit_rate", Text(*claimed), Text(cached / prompt) + ", reused tokens over prompt tokens",
           "weight by tokens, over first calls only");
}

void ErrorsHidden(const CheckInput& in, Reporter& out) {
  auto planned = NumberAt(in.report.Plan(), "n_pairs");
  if (!planned) return out.Missing("plan/n_pairs");
  const Json* order = Find(in.report.Plan(), "order");
  bool listed = order != nullptr && order->is_array() && in.report.samples.size() < order->size();
  if (listed) return;  // missing rows are found by their seq
  for (Arm arm : {Arm::kOff, Arm::kOn}) {
    auto n = std::count_if(in.report.samples.begin(), in.report.samples.end(),
                           [&](const SampleView& s) { return s.arm == arm; });
    if (static_cast<double>(n) >= *planned) continue;
    out.Find("/samples", std::to_string(n) + " calls of arm " + ArmName(arm),
             Text(*planned) + " as planned, failed ones included", "record every call with its status");
  }
}

void ModelChanged(const CheckInput& in, Reporter& out) {
  bool any = false;
  for (const char* part : {"backend/model", "backend", "env"}) {
    const Json* object = FindPath(*in.report.root, part);
    if (object == nullptr || !object->is_object()) continue;
    for (auto it = object->begin(); it != object->end(); ++it) {
      const std::string& key = it.key();
      if (key.size() < 7 || key.substr(key.size() - 6) != "_after") continue;
      std::string name = key.substr(0, key.size() - 6);
      const Json* before = Find(*object, name + "_before");
      if (before == nullptr) before = Find(*object, name);
      if (before == nullptr && name == "digest") before = Find(*object, "weights_sha256");
      if (before == nullptr) continue;
      any = true;
      if (*before == *it) continue;
      out.Find(std::string("/") + part + "/" + key, DumpJson(*it), DumpJson(*before) + " as before the run",
               "the model changed while it was measured: measure again");
    }
  }
  if (!any) out.Missing("backend/model/digest_after");
}

}  // namespace

std::vector<Check> ProvenanceChecks() {
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"F01", "evidence_hash_mismatch", F, free, "evidence that does not hash to its name", EvidenceHash},
      {"F02", "merkle_mismatch", F, need, "the tree's root is not that of the rows", Merkle},
      {"F03", "plan_changed", F, need, "the plan is not the one that was hashed", PlanChanged},
      {"F04", "plan_after_data", F, need, "the plan is younger than the data", PlanAfterData},
      {"F05a", "pass_without_samples", F, need, "PASS without a finished call", PassWithoutSamples},
      {"F05b", "skip_counted_as_pass", F, need, "a skip under PASS", SkipAsPass},
      {"F06", "no_request_ids", W, need, "a hosted run without the provider's ids", NoRequestIds},
      {"F07", "tokens_estimated", F, need, "token counts that are guesses", TokensEstimated},
      {"F08", "cached_counted_as_processed", F, free, "reused tokens counted as work", CachedAsProcessed},
      {"F09", "saving_without_usage", F, free, "dollars saved without a usage record", SavingWithoutUsage},
      {"F10", "claim_in_extra_field", W, need, "a claim outside the schema", ClaimInExtraField},
      {"F11", "unparseable_report", F, need, "a file that two programs read differently", Unparseable},
      {"F12", "replayed_report", F, free, "an old recording under a new name", Replayed},
      {"F13", "hit_rate_misweighted", F, free, "a hit rate weighted wrongly", HitRateMisweighted},
      {"F14", "missing_samples", F, need, "fewer calls than planned", ErrorsHidden},
      {"F15", "model_changed_during_run", F, free, "the model changed during the run", ModelChanged},
  };
}

}  // namespace helix::analysis
