#include "core/backend/stored_reply.h"
#include "core/base/json_fields.h"
#include "core/equivalence/oracle_report.h"
#include "core/equivalence/oracle_verdict.h"
#include "core/evidence/canonical_json.h"
#include "core/tracks/verify/rederive.h"

namespace helix::tracks {
namespace {

using analysis::VerifyStep;
using equivalence::Answer;
using equivalence::CaseResult;
using equivalence::OracleResult;

VerifyStep Off(const std::string& where, const std::string& seen, const std::string& expected) {
  return VerifyStep::Broken("answers", where, seen.substr(0, 120), expected.substr(0, 120));
}

// One arm from its bytes; a step when they do not say what the record says.
std::optional<VerifyStep> ReadArm(const Json& one, const std::string& where, const char* arm,
                                  const evidence::ObjectStore& objects, Answer& answer) {
  const std::string at = where + "/" + arm;
  const Json* stated = Find(one, arm);
  const auto digest = stated != nullptr ? StringAt(*stated, "raw_sha256") : std::nullopt;
  if (!digest) return Off(at, "no raw_sha256", "the digest of the reply");
  auto bytes = objects.Get(*digest);
  if (!bytes) return Off(*digest, bytes.error().message, "the reply's bytes");
  auto reply = backend::ReadStoredLlamaReply(*bytes);
  if (!reply) return Off(*digest, reply.error().message, "a finished completion");
  answer.output = equivalence::FromReply(*reply);
  const std::pair<const char*, Json> derived[] = {{"tokens", answer.output.tokens},
                                                  {"cached_tokens", OrNull(answer.output.cached_tokens)},
                                                  {"prompt_tokens", OrNull(answer.output.prompt_tokens)},
                                                  {"finish", answer.output.finish}};
  for (const auto& [field, now] : derived) {
    const Json* seen = Find(*stated, field);
    if (seen == nullptr || *seen != now)
      return Off(at + "/" + field, seen == nullptr ? "nothing" : DumpJson(*seen), DumpJson(now));
  }
  return std::nullopt;
}

// The prompt's token ids, from the request that was sent.
std::optional<VerifyStep> ReadPrompt(const Json& one, const std::string& where,
                                     const evidence::ObjectStore& objects, CaseResult& out) {
  const auto digest = StringAt(one, "fresh/raw_request_sha256");
  auto bytes = digest ? objects.Get(*digest) : Result<std::string>(Fail(ErrorCode::kNotFound, "no digest"));
  if (!bytes) return Off(where + "/fresh/raw_request_sha256", bytes.error().message, "the request's bytes");
  const auto request = ParseJson(*bytes);
  const Json* prompt = request ? Find(*request, "prompt") : nullptr;
  if (prompt == nullptr || !prompt->is_array()) return Off(*digest, "no token ids", "\"prompt\", token ids");
  for (const Json& id : *prompt) {
    if (!id.is_number_integer()) return Off(*digest, DumpJson(id), "a token id");
    out.shape.prompt.push_back(static_cast<backend::TokenId>(id.get<std::int64_t>()));
  }
  return std::nullopt;
}

std::optional<VerifyStep> ReadCase(const Json& one, std::size_t index, const evidence::ObjectStore& objects,
                                   CaseResult& out) {
  const std::string where = "/cases/" + std::to_string(index);
  const auto shared = IntAt(one, "shared_with_cache");
  if (!shared) return Off(where + "/shared_with_cache", "nothing", "a number of tokens");
  out.shape.shape = StringAt(one, "shape").value_or("");
  out.shape.shared = *shared;
  if (auto off = ReadPrompt(one, where, objects, out)) return off;
  const std::pair<const char*, Answer*> arms[] = {{"cached", &out.answers.cached},
                                                  {"fresh", &out.answers.fresh},
                                                  {"fresh_again", &out.answers.fresh_again}};
  for (const auto& [arm, answer] : arms) {
    if (auto off = ReadArm(one, where, arm, objects, *answer)) return off;
  }
  if (const auto delta = NumberAt(one, "control/d_gf_max")) out.control.deltas = {*delta};
  return std::nullopt;
}

// What stands in the record alone.
void TakeControls(const Json& record, OracleResult& result) {
  if (const Json* list = Find(record, "negative_controls"); list != nullptr && list->is_array()) {
    for (const Json& control : *list) {
      const std::string kind = StringAt(control, "kind").value_or("");
      if (kind == "hit_counter" || kind == "needle_canary")
        continue;  // computed again; held in its own field
      result.negative_controls.push_back(
          {kind, BoolAt(control, "detected").value_or(false), StringAt(control, "detail").value_or("")});
    }
  }
  const auto status = StringAt(record, "needle_canary/status");
  result.canary.status = status == "found"   ? equivalence::CanaryStatus::kFound
                         : status == "wrong" ? equivalence::CanaryStatus::kWrong
                                             : equivalence::CanaryStatus::kNotApplicable;
  result.canary.detail = StringAt(record, "needle_canary/detail").value_or("");
}

VerifyStep CompareCases(const Json& cases, const Json& now) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const char* field : {"class", "bit_equal", "d_cf_max"}) {
      const Json* stated = Find(cases[i], field);
      const Json* derived = Find(now["cases"][i], field);
      const std::string seen = stated != nullptr ? evidence::CanonicalJson(*stated) : "nothing";
      const std::string expected = derived != nullptr ? evidence::CanonicalJson(*derived) : "nothing";
      if (seen != expected)
        return VerifyStep::Broken("classes", "/cases/" + std::to_string(i) + "/" + field, seen, expected);
    }
  }
  return VerifyStep::Held("classes");
}

VerifyStep CompareVerdict(const Json& record, const Json& now) {
  for (const char* field : {"class", "classes", "first_divergence", "mismatches", "compared", "verdict"}) {
    const Json* stated = Find(record, field);
    if (stated != nullptr && *stated == now[field]) continue;
    return VerifyStep::Broken("verdict", std::string("/") + field,
                              stated != nullptr ? DumpJson(*stated) : "nothing", DumpJson(now[field]));
  }
  return VerifyStep::Held("verdict");
}

}  // namespace

Steps RederiveOracle(const Json& record, const evidence::ObjectStore& objects) {
  const auto kind = StringAt(record, "backend/kind").value_or("nothing");
  if (kind != "llama-server")
    return {
        VerifyStep::NotMade("answers", "replies of " + kind + " are not read again, only llama-server's")};
  const Json* cases = Find(record, "cases");
  if (cases == nullptr || !cases->is_array()) return {Off("/cases", "nothing", "the cases")};
  OracleResult result;
  for (std::size_t i = 0; i < cases->size(); ++i) {
    if (auto off = ReadCase((*cases)[i], i, objects, result.cases.emplace_back())) return {*off};
  }
  equivalence::OracleOptions options;
  options.profile = StringAt(record, "profile").value_or("");
  if (const auto least = IntAt(record, "plan/min_tokens"))
    options.refusals.min_tokens = static_cast<std::size_t>(std::max<std::int64_t>(*least, 0));
  if (const auto allow = IntAt(record, "plan/cold_allow")) options.refusals.cold_allow = *allow;
  TakeControls(record, result);
  equivalence::Decide(result, options, {});
  const Json now = equivalence::ResultJson(result, options);
  return {
      VerifyStep::Held("answers"), CompareCases(*cases, now), CompareVerdict(record, now),
      VerifyStep::NotMade("controls",
                          "what the control arm and the negative controls showed is taken from the record: "
                          "their replies are kept and hashed, not labelled")};
}

}  // namespace helix::tracks
