#include "core/consistency/case_diagnosis.h"

#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/facts_diagnosis.h"
#include "core/consistency/finding.h"
#include "core/consistency/log_diagnosis.h"
#include "core/consistency/measurement_diagnosis.h"
#include "core/consistency/pair_diagnosis.h"
#include "core/consistency/reply_diagnosis.h"
#include "core/consistency/trace_diagnosis.h"
#include "core/equivalence/recorded_case.h"

namespace helix::consistency {
namespace {

constexpr const char* kCaseKinds =
    "request_pair, reply, reply_trace, log, server_facts, trace or equivalence";

// The members of the files that the input names, put beside its own; the input's own members win.
Result<Json> WithFiles(const Json& input, const CaseFileReader& read_file) {
  Json merged = input;
  const auto one = StringAt(input, "file");
  if (one) {
    auto content = read_file(*one);
    if (!content) return tl::make_unexpected(content.error());
    if (!content->is_object()) return Fail(ErrorCode::kParse, *one + ": expected a JSON object");
    for (auto it = content->begin(); it != content->end(); ++it)
      if (!merged.contains(it.key())) merged[it.key()] = it.value();
  }
  const Json* many = Find(input, "files");
  if (!many || !many->is_array()) return merged;
  Json replies = Json::array();
  for (const Json& path : *many) {
    if (!path.is_string()) return Fail(ErrorCode::kInvalidArgument, "expected file names in files");
    auto content = read_file(path.get<std::string>());
    if (!content) return tl::make_unexpected(content.error());
    replies.push_back(std::move(*content));
  }
  if (!merged.contains("trace")) merged["trace"] = std::move(replies);
  return merged;
}

Result<Json> Pair(const Json& input) {
  const Json* a = Find(input, "a");
  const Json* b = Find(input, "b");
  if (!a || !b) return Fail(ErrorCode::kInvalidArgument, "expected two request bodies, a and b");
  PairInput pair;
  auto first = ReadRequestBody(*a);
  if (!first) return tl::make_unexpected(first.error());
  auto second = ReadRequestBody(*b);
  if (!second) return tl::make_unexpected(second.error());
  pair.a = std::move(*first);
  pair.b = std::move(*second);
  pair.transform = StringAt(input, "transform").value_or("");
  pair.backend = StringAt(input, "backend").value_or("");
  pair.gap_s = FirstNumber(input, {"gap_s"});
  pair.ttl_s = FirstNumber(input, {"ttl_s"});
  if (const Json* usage = Find(input, "usage_b")) pair.usage_b = *usage;
  if (const Json* usage = Find(input, "usage")) pair.usage_b = *usage;
  return DiagnosePair(pair);
}

Result<Json> Equivalence(const Json& input) {
  auto recorded = equivalence::ClassifyRecorded(input);
  if (!recorded) return tl::make_unexpected(recorded.error());
  const auto cls = recorded->finding.cls;
  const auto verdict = equivalence::DiagnosisOf(cls);
  const Json numbers{{"class", equivalence::ClassName(cls)}, {"notes", recorded->notes}};
  if (verdict) return FindingJson(*verdict, recorded->finding.reason, "", numbers);
  if (cls == equivalence::Class::kExact)
    return FindingJson("OK_EXACT", recorded->finding.reason, "", numbers);
  return Unconfirmed(recorded->finding.reason, numbers);
}

}  // namespace

Result<Json> DiagnoseCase(const Json& one, const CaseFileReader& read_file) {
  const auto kind = StringAt(one, "kind");
  const Json* input = Find(one, "input");
  if (!kind || !input || !input->is_object())
    return Fail(ErrorCode::kInvalidArgument, "expected one object {\"kind\": ..., \"input\": {...}}",
                std::string("kind is one of ") + kCaseKinds);
  auto merged = WithFiles(*input, read_file);
  if (!merged) return tl::make_unexpected(merged.error());
  if (*kind == "request_pair") return Pair(*merged);
  if (*kind == "reply") return DiagnoseReply(*merged);
  if (*kind == "reply_trace") return DiagnoseReplyTrace(*merged);
  if (*kind == "log") return DiagnoseLogCase(*merged);
  if (*kind == "server_facts") return DiagnoseServerFacts(*merged);
  if (*kind == "trace") return DiagnoseMeasurement(*merged);
  if (*kind == "equivalence") return Equivalence(*merged);
  return Fail(ErrorCode::kInvalidArgument, "unknown kind \"" + *kind + "\"",
              std::string("use ") + kCaseKinds);
}

}  // namespace helix::consistency
