#include "core/analysis/report_schema.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

using S = SampleView;
using Names = std::vector<std::string_view>;

SampleField Number(double S::*member) {
  return {member, nullptr, nullptr, nullptr};
}
SampleField Text(std::string_view S::*member) {
  return {nullptr, member, nullptr, nullptr};
}
SampleField Boolean(Flag S::*member) {
  return {nullptr, nullptr, member, nullptr};
}
SampleField Raw(const Json* S::*member) {
  return {nullptr, nullptr, nullptr, member};
}

const std::unordered_map<std::string_view, SampleField>& SampleFields() {
  static const std::unordered_map<std::string_view, SampleField> fields = {
      {"arm", Text(&S::arm_name)},
      {"status", Text(&S::status)},
      {"env_id", Text(&S::env_id)},
      {"prompt_sha256", Text(&S::prompt_sha256)},
      {"prompt_tokens_sha256", Text(&S::prompt_tokens_sha256)},
      {"params_sha256", Text(&S::params_sha256)},
      {"ttft_event", Text(&S::ttft_event)},
      {"boot_id", Text(&S::boot_id)},
      {"finish", Text(&S::finish)},
      {"sha256", Text(&S::out_sha256)},
      {"tokens_sha256", Text(&S::out_sha256)},
      {"raw_sha256", Text(&S::raw_sha256)},
      {"tokens_source", Text(&S::tokens_source)},
      {"exclusion_rule", Text(&S::exclusion_rule)},
      {"workload_id", Text(&S::workload_id)},
      {"weights_sha256", Text(&S::weights_sha256)},
      {"resp_model", Text(&S::response_model)},
      {"system_fingerprint", Text(&S::fingerprint)},
      {"request_id", Text(&S::request_id)},
      {"response_id", Text(&S::response_id)},
      {"clock_id", Text(&S::clock_id)},
      {"seq", Number(&S::seq)},
      {"pair", Number(&S::pair)},
      {"expected_cached", Number(&S::expected_cached)},
      {"lcp_prev", Number(&S::lcp_prev)},
      {"t_send_ns", Number(&S::t_send_ns)},
      {"ttft_ns", Number(&S::ttft_ns)},
      {"total_ns", Number(&S::total_ns)},
      {"concurrency", Number(&S::concurrency)},
      {"prompt_tokens", Number(&S::prompt_tokens)},
      {"cached_n", Number(&S::cached_n)},
      {"processed_n", Number(&S::processed_n)},
      {"prompt_ms", Number(&S::prompt_ms)},
      {"predicted_ms", Number(&S::predicted_ms)},
      {"slot", Number(&S::slot)},
      {"n", Number(&S::out_n)},
      {"queue_ms", Number(&S::queue_ms)},
      {"t_build_ns", Number(&S::build_ns)},
      {"tokens_in_first_event", Number(&S::first_event_tokens)},
      {"mhz", Number(&S::mhz)},
      {"created", Number(&S::created)},
      {"reasoning_tokens", Number(&S::reasoning_tokens)},
      {"client_prompt_tokens", Number(&S::client_prompt_tokens)},
      {"running", Number(&S::running)},
      {"usage_cached", Number(&S::usage_cached)},
      {"ms_per_token", Number(&S::ms_per_token)},
      {"n_ctx", Number(&S::context_size)},
      {"server_ttft_ms", Number(&S::server_ttft_ms)},
      {"conn_reused", Boolean(&S::conn_reused)},
      {"truncated", Boolean(&S::truncated)},
      {"salt_differs", Boolean(&S::salt_differs)},
      {"warmup", Boolean(&S::warmup)},
      {"build_in_ttft", Boolean(&S::build_in_ttft)},
      {"transport", Raw(&S::transport)},
      {"flags", Raw(&S::flags)},
      {"clock_ids", Raw(&S::clock_ids)}};
  return fields;
}

bool In(const Names& names, std::string_view key) {
  return std::find(names.begin(), names.end(), key) != names.end();
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void ListPart(const Json& report, std::string_view part, const Names& known,
              std::vector<std::string>& unknown) {
  const Json* object = Find(report, part);
  if (object == nullptr || !object->is_object()) return;
  for (auto it = object->begin(); it != object->end(); ++it) {
    // Facts taken twice, before the run and after it, under any name.
    bool twice = EndsWith(it.key(), "_before") || EndsWith(it.key(), "_after");
    if (!twice && !In(known, it.key()))
      unknown.push_back("/" + std::string(part) + "/" + PointerToken(it.key()));
  }
}

}  // namespace

std::string PointerToken(std::string_view key) {
  std::string out;
  for (char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

const SampleField* FindSampleField(std::string_view key) {
  const auto& fields = SampleFields();
  auto it = fields.find(key);
  return it == fields.end() ? nullptr : &it->second;
}

bool IsSampleGroup(std::string_view key) {
  return key == "req" || key == "client" || key == "server" || key == "out";
}

bool IsOtherSampleField(std::string_view key) {
  static const Names known = {"salt_sha256",
                              "request_sha256",
                              "failed_reply_sha256",
                              "request_bytes",
                              "error",
                              "error_code",
                              "http_status",
                              "connect_ns",
                              "ttfb_ns",
                              "tokens",
                              "text_sha256",
                              "prompt_bytes",
                              "cache_write",
                              "cold_method",
                              "label_verified",
                              "itl_ns",
                              "t_first_token_ns",
                              "t_last_token_ns",
                              "predicted_n",
                              "draft_n",
                              "draft_n_accepted",
                              "stage",
                              "note_code",
                              "raw_bytes",
                              "session",
                              "other_traffic",
                              "env"};
  return In(known, key);
}

namespace {

constexpr std::string_view kTopFields =
    "schema run_id synthetic verdict plan plan_sha256 t_plan_ns wall_ns env backend "
    "samples claim equivalence merkle_root evidence chain statistics prime break_even "
    "created_unix started_unix_ns ended_unix_ns environments reason findings codes checks "
    "not_checkable direction evidence_objects metrics security skip_code skip_reason "
    "would_run_if history notice harness selfcheck evidence_policy integrity fingerprint";

constexpr std::pair<std::string_view, std::string_view> kPartFields[] = {
    {"plan",
     "seed order n_pairs warmup_pairs sampler concurrency stopping exclusion_rules metric "
     "restart_between_arms cold_method profile prefix_tokens new_tokens output_tokens "
     "workload workloads created_unix knob transport sessions resends min_cacheable_tokens "
     "ttl_s schema prime arms slot streamed pair_of_call prompts load_model may_be_missing"},
    {"claim",
     "metric kind label speedup_ttft speedup_total speedup_prefill ci p50_off p50_on "
     "p95_off p95_on p95_is_max runs_executed runs_reported display unit hit_rate "
     "tokens_per_s_prefill saved_usd price_table_date direction noise_floor text sessions "
     "ms_per_token tokens usage"},
    {"env", "rtt_floor_ns clock hw os arch cpus harness_version harness_sha256 environments"},
    {"backend",
     "kind build block_size cold_allow flags model managed slots n_ctx facts speculative "
     "hosted environments min_cacheable_tokens ttl_s t_boot_ns"},
    {"equivalence",
     "claim min_tokens n_pairs pairs negative_controls class classes first_divergence "
     "refused normalised compared_prefix match_rate uncached_vs_uncached cold_method "
     "post_sampling_probs"},
};

Names Words(std::string_view text) {
  Names out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

void ListUnknownFields(const Json& report, std::vector<std::string>& unknown) {
  if (!report.is_object()) return;
  static const Names top = Words(kTopFields);
  for (auto it = report.begin(); it != report.end(); ++it) {
    if (!In(top, it.key())) unknown.push_back("/" + PointerToken(it.key()));
  }
  for (const auto& [part, fields] : kPartFields) ListPart(report, part, Words(fields), unknown);
}

}  // namespace helix::analysis
