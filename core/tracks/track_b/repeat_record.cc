#include "core/tracks/track_b/repeat_record.h"

#include "core/backend/hosted_stream.h"
#include "core/base/json_fields.h"

namespace helix::tracks {
namespace {

using Arm = PlannedCall::Arm;

void PutUsage(const usage::Reply& reply, RepeatAnswer& answer) {
  answer.read = usage::CountOf(reply.usage.cache_read);
  answer.prompt_tokens = usage::CountOf(reply.usage.in_total);
  // A prompt has tokens: a total of 0 is a gateway's filling for counters that it lost.
  if (answer.prompt_tokens == 0) answer.prompt_tokens = answer.read = std::nullopt;
  answer.model = reply.model;
}

const char* RepeatArm(Arm arm) {
  return arm == Arm::kCold ? "uncached" : arm == Arm::kWarm ? "cached" : "prime";
}

Json Row(const TrackBCall& call, int repeats) {
  const auto& planned = call.planned;
  const auto& reply = call.reply;
  RepeatAnswer counted;
  PutUsage(reply.reply, counted);
  Json row = {{"arm", RepeatArm(planned.arm)},
              {"prompt", planned.pair / repeats},
              {"repeat", planned.pair % repeats},
              {"status", reply.ok ? "ok" : "error"},
              {"http_status", reply.status},
              {"cached_tokens", OrNull(counted.read)},
              {"prompt_tokens", OrNull(counted.prompt_tokens)},
              {"output_tokens", OrNull(usage::CountOf(reply.reply.usage.out_total))},
              {"expects", planned.answer}};
  if (!reply.ok) row["failure"] = reply.failure;
  if (!call.request_sha256.empty()) row["raw_request_sha256"] = call.request_sha256;
  if (!call.raw_sha256.empty()) row["raw_sha256"] = call.raw_sha256;
  return row;
}

tl::unexpected<Error> Unreadable(std::size_t row, const std::string& what) {
  return Fail(ErrorCode::kParse, "/calls/" + std::to_string(row) + " has no " + what);
}

Status ReadText(const Json& row, const std::string& provider, const evidence::ObjectStore& objects,
                std::size_t index, RepeatAnswer& answer) {
  const auto digest = StringAt(row, "raw_sha256");
  if (!digest) return Unreadable(index, "raw_sha256");
  auto bytes = objects.Get(*digest);
  if (!bytes) return tl::make_unexpected(bytes.error());
  backend::HostedStream stream(provider);
  HELIX_TRY(stream.Feed(*bytes, 0));
  PutUsage(stream.Finish(), answer);
  answer.text = stream.text();
  return {};
}

Result<RepeatOptions> ReadOptions(const Json& record) {
  RepeatOptions out;
  const auto prompts = IntAt(record, "plan/prompts");
  const auto repeats = IntAt(record, "plan/repeats");
  const auto seed = IntAt(record, "plan/seed");
  const auto cold = ColdMeansFromName(StringAt(record, "plan/cold_means").value_or(""));
  if (!prompts || !repeats || *repeats < 1 || *repeats > 9 || !seed || !cold)
    return Fail(ErrorCode::kParse, "/plan has no prompts, repeats, seed or cold_means");
  out.prompts = static_cast<int>(*prompts);
  out.repeats = static_cast<int>(*repeats);
  out.seed = static_cast<std::uint64_t>(*seed);
  out.cold = *cold;
  return out;
}

}  // namespace

std::vector<RepeatAnswer> AnswersOf(const TrackBRun& run, int repeats) {
  std::vector<RepeatAnswer> out;
  for (const auto& call : run.calls) {
    if (call.planned.arm == Arm::kPrime) continue;
    RepeatAnswer answer;
    answer.cached = call.planned.arm == Arm::kWarm;
    answer.prompt = call.planned.pair / repeats;
    answer.repeat = call.planned.pair % repeats;
    answer.ok = call.reply.ok;
    answer.failure = call.reply.failure;
    answer.expects = call.planned.answer;
    if (answer.ok) {
      PutUsage(call.reply.reply, answer);
      answer.text = call.reply.text;
    }
    out.push_back(std::move(answer));
  }
  return out;
}

Json RepeatRecord(const Json& result, const TrackBRun& run, const Json& plan, const TrackBTarget& target) {
  Json out = {{"schema", "helix.equivalence/1"}};
  out.update(result);
  out["plan"] = plan;
  out["backend"] = {
      {"kind", target.free ? "local" : "hosted"},
      {"label", target.label},
      {"route", target.route},
      {"provider", target.client.provider},
      {"protocol", target.client.protocol == backend::Protocol::kOpenAiChat ? "openai" : "anthropic"},
      {"template_tokens", OrNull(target.template_tokens)},
      {"model", {{"id", target.model}, {"weights", target.synthetic_weights ? "synthetic" : "real"}}}};
  Json calls = Json::array();
  const auto repeats = static_cast<int>(IntAt(plan, "repeats").value_or(1));
  for (const auto& call : run.calls) calls.push_back(Row(call, repeats));
  out["calls"] = std::move(calls);
  return out;
}

Result<StoredRepeats> ReadRepeats(const Json& record, const evidence::ObjectStore& objects) {
  StoredRepeats out;
  auto options = ReadOptions(record);
  if (!options) return tl::make_unexpected(options.error());
  out.facts.options = *options;
  out.facts.cold_allow = IntAt(record, "backend/template_tokens").value_or(0);  // not known: none is allowed
  out.facts.synthetic_weights = StringAt(record, "backend/model/weights") == "synthetic";
  const Json* calls = Find(record, "calls");
  if (calls == nullptr || !calls->is_array()) return Fail(ErrorCode::kParse, "the record has no /calls");
  for (std::size_t i = 0; i < calls->size(); ++i) {
    const Json& row = (*calls)[i];
    const auto arm = StringAt(row, "arm");
    const auto prompt = IntAt(row, "prompt");
    const auto repeat = IntAt(row, "repeat");
    if (!arm || !prompt || !repeat) return Unreadable(i, "arm, prompt or repeat");
    if (*arm == "prime") continue;
    RepeatAnswer answer;
    answer.cached = *arm == "cached";
    answer.prompt = static_cast<int>(*prompt);
    answer.repeat = static_cast<int>(*repeat);
    answer.ok = StringAt(row, "status") == "ok";
    answer.failure = StringAt(row, "failure").value_or("");
    answer.expects = StringAt(row, "expects").value_or("");
    if (answer.ok) {
      auto read = ReadText(row, StringAt(record, "backend/provider").value_or(""), objects, i, answer);
      if (!read) return tl::make_unexpected(read.error());
    }
    out.answers.push_back(std::move(answer));
  }
  return out;
}

}  // namespace helix::tracks
