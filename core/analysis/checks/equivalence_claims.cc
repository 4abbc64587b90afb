// Group E, what a claim of equality rests on.
#include <algorithm>
#include <cctype>

#include "core/analysis/checks/each.h"
#include "core/analysis/checks/equivalence_checks.h"
#include "core/analysis/checks/equivalence_pairs.h"
#include "core/base/json_fields.h"

namespace helix::analysis::checks {

void WithoutEvidence(const CheckInput& in, Reporter& out) {
  if (!Claims(in)) return out.Missing("equivalence/claim");
  const Json* pairs = Pairs(in);
  auto compared = NumberAt(in.report.Equivalence(), "n_pairs");
  if (compared && pairs != nullptr && static_cast<double>(pairs->size()) != *compared) {
    return out.Find("/equivalence/pairs", std::to_string(pairs->size()) + " pairs",
                    "the " + Text(*compared) + " that were compared",
                    "keep every comparison, also one that differs");
  }
  if (pairs != nullptr && !pairs->empty()) return;
  out.Find("/equivalence/pairs", "no pair", "at least one cached and one fresh answer",
           "compare answers before you claim that they are equal");
}

namespace {

bool HasStubName(const CheckInput& in) {
  const Json& backend = in.report.Backend();
  for (const char* field : {"model/id", "kind"}) {
    auto name = StringAt(backend, field).value_or("");
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const char* stub : {"stub", "echo", "mock", "fake", "dummy"}) {
      auto at = name.find(stub);
      bool starts =
          at != std::string::npos && (at == 0 || std::isalnum(static_cast<unsigned char>(name[at - 1])) == 0);
      if (starts) return true;
    }
  }
  return false;
}

}  // namespace

void StubAsReal(const CheckInput& in, Reporter& out) {
  const Json& root = *in.report.root;
  if (BoolAt(root, "synthetic").value_or(false) || StringAt(root, "backend/model/weights") == "synthetic")
    return;
  auto params = NumberAt(root, "backend/model/n_params");
  auto bytes = NumberAt(root, "backend/model/file_bytes");
  if (!params) out.Missing("backend/model/n_params");
  bool small = params && *params < 1e6;
  // No format in use stores a weight in less than one bit.
  bool thin = params && bytes && *bytes * 8 < *params;
  if (!small && !thin && !HasStubName(in)) return;
  out.Find("/backend/model",
           StringAt(root, "backend/model/id").value_or("") + " with " +
               (params ? Text(*params) : "an unknown number of") + " parameters",
           "a language model, or synthetic: true",
           "mark a stub as synthetic, and random weights as model.weights: synthetic");
}

void SyntheticPass(const CheckInput& in, Reporter& out) {
  const Json& root = *in.report.root;
  auto synthetic = BoolAt(root, "synthetic");
  if (!synthetic) return out.Missing("synthetic");
  if (!*synthetic || StringAt(root, "verdict") != "PASS") return;
  out.Find("/verdict", "PASS on synthetic numbers", "anything but PASS", "measure a real server");
}

namespace {

const Json* Controls(const CheckInput& in) {
  const Json* controls = Find(in.report.Equivalence(), "negative_controls");
  return controls != nullptr && controls->is_array() ? controls : nullptr;
}

}  // namespace

void NoNegativeControl(const CheckInput& in, Reporter& out) {
  const Json* controls = Controls(in);
  if (controls == nullptr) return out.Missing("equivalence/negative_controls");
  if (!controls->empty()) return;
  out.Find("/equivalence/negative_controls", "none", "at least one planted difference",
           "flip a prefix token and show that the comparison notices");
}

void ControlNotDetected(const CheckInput& in, Reporter& out) {
  const Json* controls = Controls(in);
  if (controls == nullptr || controls->empty()) return out.Missing("equivalence/negative_controls");
  for (std::size_t i = 0; i < controls->size(); ++i) {
    auto detected = BoolAt((*controls)[i], "detected");
    std::string where = "equivalence/negative_controls/" + std::to_string(i) + "/detected";
    if (!detected) {
      out.Missing(where);
    } else if (!*detected) {
      out.Find("/" + where, "false", "true", "the comparison is blind to this fault: do not trust it");
    }
  }
}

void TextOnly(const CheckInput& in, Reporter& out) {
  if (!Claims(in)) return out.Missing("equivalence/claim");
  EachEquivalencePair(in, out, [&](std::size_t i, const Json&, const Json& cached, const Json& fresh) {
    auto ids = [](const Json& side) { return Tokens(side) != nullptr || StringAt(side, "tokens_sha256"); };
    if (ids(cached) && ids(fresh)) return;
    out.Find(At(i, "cached"), "no token ids", "token ids on both sides",
             "different ids can print the same text: ask the server for ids");
  });
}

namespace {

bool Statistical(const CheckInput& in) {
  const Json& e = in.report.Equivalence();
  std::string claim = StringAt(e, "claim").value_or("");
  return Find(e, "match_rate") != nullptr || claim.find("match_rate") != std::string::npos ||
         claim.find("statistical") != std::string::npos || (Claims(in) && IsHosted(in));
}

}  // namespace

void NoBaseline(const CheckInput& in, Reporter& out) {
  if (!Statistical(in)) return;
  if (Find(in.report.Equivalence(), "uncached_vs_uncached") != nullptr) return;
  out.Find("/equivalence", "a match rate without uncached_vs_uncached", "how often two fresh answers agree",
           "measure the service's agreement with itself first");
}

void Renormalised(const CheckInput& in, Reporter& out) {
  const Json& root = *in.report.root;
  bool stated = false;
  for (const char* path : {"equivalence/post_sampling_probs", "plan/sampler/post_sampling_probs"}) {
    auto flag = BoolAt(root, path);
    stated = stated || flag.has_value();
    if (flag.value_or(false))
      out.Find(std::string("/") + path, "true", "probabilities before top-k",
               "compare log-probabilities of the full softmax");
  }
  if (!stated) out.Missing("equivalence/post_sampling_probs");
}

}  // namespace helix::analysis::checks
