#include "core/tracks/track_b/track_b_report.h"

#include <sys/utsname.h>

#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/experiment/environment.h"

namespace helix::tracks {
namespace {

using Arm = PlannedCall::Arm;
using evidence::Sha256Hex;

Json CountOrNull(const Measured<Tokens>& tokens) {
  return tokens.present() ? Json(tokens.value().count) : Json(nullptr);
}

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json RequestPart(const PlannedCall& call) {
  const auto& request = call.request;
  Json prompt = Json::array({request.prefix});
  for (const auto& turn : request.turns) prompt.push_back(Json::array({turn.role, turn.text}));
  const Json params = {{"model", request.model},
                       {"output_tokens", request.output_tokens},
                       {"temperature", request.temperature ? Json(*request.temperature) : Json(nullptr)}};
  return {{"prompt_sha256", Sha256Hex(DumpJson(prompt))},
          {"params_sha256", Sha256Hex(DumpJson(params))},
          {"salt_sha256", request.salt.empty() ? Json(nullptr) : Json(Sha256Hex(request.salt))}};
}

Json ClientPart(const backend::HostedReply& reply) {
  const bool timed = reply.ok && reply.ttft_ns.present();
  return {{"t_send_ns", reply.t_send_ns > 0 ? Json(reply.t_send_ns) : Json(nullptr)},
          {"ttft_ns", timed ? Json(reply.ttft_ns.value()) : Json(nullptr)},
          {"total_ns", reply.ok ? Json(reply.total_ns) : Json(nullptr)},
          {"conn_reused", reply.ok ? Json(reply.connection_reused) : Json(nullptr)},
          {"concurrency", 1},
          {"ttft_event", timed ? Json("first_token") : Json(nullptr)}};
}

Json ServerPart(const backend::HostedReply& reply) {
  const bool counted = CountsPrompt(reply);
  const usage::Usage usage = counted ? reply.reply.usage : usage::Usage{};
  return {{"prompt_tokens", CountOrNull(usage.in_total)}, {"cached_n", CountOrNull(usage.cache_read)},
          {"processed_n", CountOrNull(usage.prefilled)},  {"cache_write", CountOrNull(usage.Writes())},
          {"request_id", TextOrNull(reply.request_id)},   {"response_id", TextOrNull(reply.reply.id)}};
}

Json Row(const PlannedCall& call, std::size_t seq, const std::string& env_id,
         std::optional<std::int64_t> expected) {
  return {{"seq", seq},
          {"arm", ReportArmName(call.arm)},
          {"pair", call.pair},
          {"status", "not_run"},
          {"env_id", env_id},
          {"expected_cached", call.arm == Arm::kWarm ? OrNull(expected) : Json(0)},
          {"req", RequestPart(call)},
          {"transport", {{"stream", true}}}};
}

void AddReply(Json& row, const TrackBCall& call) {
  const auto& reply = call.reply;
  row["status"] = reply.ok ? "ok" : "error";
  row["client"] = ClientPart(reply);
  row["http_status"] = reply.status;
  if (!reply.ok) row["error"] = reply.failure + (reply.message.empty() ? "" : ": " + reply.message);
  // Two refusals are often the same bytes: they are kept, and are no evidence of a measured call.
  if (!call.raw_sha256.empty()) row[reply.ok ? "raw_sha256" : "failed_reply_sha256"] = call.raw_sha256;
  if (!call.request_sha256.empty()) row["request_sha256"] = call.request_sha256;
  if (!reply.ok) return;
  row["server"] = ServerPart(reply);
  row["out"] = {{"n", CountOrNull(reply.reply.usage.out_total)},
                {"sha256", Sha256Hex(reply.text)},
                {"finish", TextOrNull(reply.reply.finish)}};
  row["resp_model"] = TextOrNull(reply.reply.model);
  row["tokens_source"] = "server";
}

Json BackendPart(const TrackBTarget& target) {
  return {{"kind", target.free ? "llama-server" : "hosted"},
          {"hosted", !target.free},
          {"build", nullptr},
          {"label", target.label},
          {"route", target.route},
          {"flags", nullptr},
          {"cold_allow", OrNull(target.template_tokens)},
          {"n_ctx", OrNull(target.context_tokens)},
          {"model", {{"id", target.model}, {"weights", target.synthetic_weights ? "synthetic" : "real"}}}};
}

Json Environment() {
  utsname system{};
  const bool known = uname(&system) == 0;
  return {{"clock", experiment::ClockFacts()},
          {"os", known ? Json(std::string(system.sysname) + " " + system.release) : Json(nullptr)},
          {"arch", known ? Json(system.machine) : Json(nullptr)},
          {"harness_version", HELIX_VERSION}};
}

}  // namespace

Result<std::vector<std::string>> StoreReplies(evidence::ObjectStore& objects, TrackBRun& run) {
  std::vector<std::string> digests;
  for (auto& call : run.calls) {
    if (call.reply.response_body.empty()) continue;
    auto request = objects.Put(call.reply.request_body);
    if (!request) return tl::make_unexpected(request.error());
    auto reply = objects.Put(call.reply.response_body);
    if (!reply) return tl::make_unexpected(reply.error());
    call.request_sha256 = *request;
    call.raw_sha256 = *reply;
    digests.push_back(*request);
    digests.push_back(*reply);
  }
  return digests;
}

std::optional<std::int64_t> ExpectedCached(const TrackBRun& run, const TrackBTarget& target) {
  if (target.prefix_tokens_counted) return target.prefix_tokens_counted;
  for (const auto& call : run.calls) {
    if (call.planned.arm != Arm::kPrime || !call.reply.ok) continue;
    const auto& usage = call.reply.reply.usage;
    const auto written = usage.Writes();
    if (target.client.takes_markers && written.present() && usage.cache_read.present()) {
      const std::int64_t held = written.value().count + usage.cache_read.value().count;
      if (held > 0) return held;
    }
    if (CountsPrompt(call.reply)) return usage.in_total.value().count;
  }
  return std::nullopt;
}

Json TrackBReport(const TrackBRun& run, const std::vector<PlannedCall>& planned, const Json& plan,
                  const TrackBTarget& target, const Json& judged) {
  Json backend = BackendPart(target);
  const std::string env_id = Sha256Hex(evidence::CanonicalJson(backend)).substr(0, 16);
  const auto expected = ExpectedCached(run, target);
  Json samples = Json::array();
  for (std::size_t i = 0; i < planned.size(); ++i) {
    Json row = Row(planned[i], i, env_id, expected);
    if (i < run.calls.size()) AddReply(row, run.calls[i]);
    samples.push_back(std::move(row));
  }
  Json own = judged;
  for (const char* prose : {"notice", "notices", "synthetic"}) own.erase(prose);
  return {{"schema", "helix.report/1"},
          {"synthetic", false},
          {"plan_sha256", Sha256Hex(evidence::CanonicalJson(plan))},
          {"plan", plan},
          {"t_plan_ns", run.t_plan_ns},
          {"wall_ns", run.wall_ns},
          {"harness", {{"name", "helix-perf-cache"}, {"version", HELIX_VERSION}}},
          {"env", Environment()},
          {"backend", std::move(backend)},
          {"samples", std::move(samples)},
          {"claim", {{"runs_executed", 1}, {"runs_reported", 1}}},
          {"track_b", std::move(own)},
          {"notice", target.notices}};
}

}  // namespace helix::tracks
