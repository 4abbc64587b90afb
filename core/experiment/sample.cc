#include "core/experiment/sample.h"

#include "core/base/json_fields.h"
#include "core/evidence/digest.h"

namespace helix::experiment {
namespace {

template <typename T>
Json ValueOrNull(const Measured<T>& measured) {
  return OrNull(measured.optional());
}

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json ClientPart(const Sample& sample) {
  const backend::GenerateReply& reply = sample.reply;
  const bool ok = sample.status == SampleStatus::kOk;
  const bool has_ttft = ok && reply.ttft_ns.present();
  return {{"t_send_ns", sample.t_send_ns > 0 ? Json(sample.t_send_ns) : Json(nullptr)},
          {"ttft_ns", has_ttft ? Json(reply.ttft_ns.value()) : Json(nullptr)},
          {"total_ns", ok ? Json(reply.total_ns) : Json(nullptr)},
          {"conn_reused", ok ? Json(reply.connection_reused) : Json(nullptr)},
          {"concurrency", 1},
          {"ttft_event", has_ttft ? Json("first_token") : Json(nullptr)},
          {"tokens_in_first_event", ValueOrNull(reply.first_event_tokens)}};
}

Json ServerPart(const Sample& sample) {
  const backend::GenerateReply& reply = sample.reply;
  return {{"prompt_tokens", ValueOrNull(reply.prompt_tokens)},
          {"cached_n", ValueOrNull(reply.cached_tokens)},
          {"processed_n", ValueOrNull(reply.processed_tokens)},
          {"prompt_ms", ValueOrNull(reply.prefill_ms)},
          {"predicted_ms", ValueOrNull(reply.decode_ms)},
          {"boot_id", TextOrNull(sample.boot_id)},
          {"slot", OrNull(reply.slot)}};
}

Json OutPart(const backend::GenerateReply& reply) {
  return {{"n", ValueOrNull(reply.output_tokens)},
          {"sha256", evidence::Sha256Hex(reply.text)},
          {"tokens_sha256", reply.has_token_ids ? Json(TokensSha256(reply.tokens)) : Json(nullptr)},
          {"finish", TextOrNull(reply.finish)},
          {"truncated", reply.truncated}};
}

}  // namespace

std::string_view SampleStatusName(SampleStatus status) {
  switch (status) {
    case SampleStatus::kOk:
      return "ok";
    case SampleStatus::kError:
      return "error";
    case SampleStatus::kTimeout:
      return "timeout";
    case SampleStatus::kNotRun:
      return "not_run";
  }
  return "error";
}

Json SampleJson(const Sample& sample, const std::string& env_id) {
  Json row = {{"seq", sample.seq},
              {"arm", ArmName(sample.call.arm)},
              {"pair", sample.call.pair},
              {"status", SampleStatusName(sample.status)},
              {"env_id", env_id},
              {"expected_cached", sample.expected_cached},
              {"lcp_prev", sample.lcp_prev},
              {"label_verified", VerifiedName(sample.verified)},
              {"req",
               {{"prompt_sha256", sample.prompt_sha256},
                {"params_sha256", sample.params_sha256},
                {"salt_sha256", nullptr}}},
              {"transport", {{"stream", sample.streamed}}},
              {"client", ClientPart(sample)}};
  if (sample.call.warmup) row["warmup"] = true;
  if (!sample.error.empty()) row["error"] = sample.error;
  if (sample.status != SampleStatus::kOk) return row;
  row["server"] = ServerPart(sample);
  row["out"] = OutPart(sample.reply);
  row["resp_model"] = TextOrNull(sample.reply.model);
  row["tokens_source"] = "server";
  if (!sample.traffic.is_null()) row["other_traffic"] = sample.traffic;
  if (!sample.raw_sha256.empty()) row["raw_sha256"] = sample.raw_sha256;
  if (!sample.raw_request_sha256.empty()) row["request_sha256"] = sample.raw_request_sha256;
  return row;
}

}  // namespace helix::experiment
