// Group E: equivalence of cached and fresh answers.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/checks/each.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

const Json* Pairs(const CheckInput& in) {
  const Json* pairs = Find(in.report.Equivalence(), "pairs");
  return pairs != nullptr && pairs->is_array() ? pairs : nullptr;
}

std::string At(std::size_t i, const char* field) {
  return "/equivalence/pairs/" + std::to_string(i) + "/" + field;
}

// Calls test(index, pair, cached, fresh) for every pair that has both sides; Missing when there is none.
template <typename Test>
void EachEquivalencePair(const CheckInput& in, Reporter& out, Test test) {
  const Json* pairs = Pairs(in);
  if (pairs == nullptr) return out.Missing("equivalence/pairs");
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const Json* cached = Find((*pairs)[i], "cached");
    const Json* fresh = Find((*pairs)[i], "fresh");
    if (cached == nullptr || fresh == nullptr) {
      out.Missing("equivalence/pairs/" + std::to_string(i) + "/cached");
      continue;
    }
    test(i, (*pairs)[i], *cached, *fresh);
  }
}

const Json* Tokens(const Json& side) {
  const Json* tokens = Find(side, "tokens");
  return tokens != nullptr && tokens->is_array() ? tokens : nullptr;
}

// The same for pairs that have token ids on both sides.
template <typename Test>
void EachTokenPair(const CheckInput& in, Reporter& out, Test test) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json& pair, const Json& cached, const Json& fresh) {
    const Json* c = Tokens(cached);
    const Json* f = Tokens(fresh);
    if (c == nullptr || f == nullptr)
      return out.Missing("equivalence/pairs/" + std::to_string(i) + "/cached/tokens");
    test(i, pair, *c, *f);
  });
}

bool Claims(const CheckInput& in) {
  return StringAt(in.report.Equivalence(), "claim").value_or("none") != "none";
}

void WithoutEvidence(const CheckInput& in, Reporter& out) {
  if (!Claims(in)) return out.Missing("equivalence/claim");
  const Json* pairs = Pairs(in);
  if (pairs != nullptr && !pairs->empty()) return;
  out.Find("/equivalence/pairs", "no pair", "at least one cached and one fresh answer",
           "compare answers before you claim that they are equal");
}

bool SameString(const Json& a, const Json& b, const char* field) {
  auto x = StringAt(a, field);
  return x && x == StringAt(b, field);
}

void SameResponse(const CheckInput& in, Reporter& out) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json&, const Json& cached, const Json& fresh) {
    bool known = (StringAt(cached, "raw_sha256") && StringAt(fresh, "raw_sha256")) ||
                 (StringAt(cached, "request_id") && StringAt(fresh, "request_id"));
    if (!known) return out.Missing(At(i, "fresh/raw_sha256").substr(1));
    if (!SameString(cached, fresh, "raw_sha256") && !SameString(cached, fresh, "request_id")) return;
    out.Find(At(i, "fresh"), "the same response as the cached side", "a response of its own",
             "ask twice; an answer is always equal to itself");
  });
}

// Which of the two sides were served from the cache.
template <typename Test>
void EachReuse(const CheckInput& in, Reporter& out, Test test) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json&, const Json& cached, const Json& fresh) {
    auto c = NumberAt(cached, "cached_n");
    auto f = NumberAt(fresh, "cached_n");
    if (!c || !f) return out.Missing(At(i, "fresh/cached_n").substr(1));
    test(i, *c, *f);
  });
}

void FreshWasCached(const CheckInput& in, Reporter& out) {
  EachReuse(in, out, [&](std::size_t i, double cached, double fresh) {
    if (fresh <= in.cold_allow || cached > in.cold_allow) return;
    out.Find(At(i, "fresh/cached_n"), Text(fresh), "at most " + Text(in.cold_allow),
             "make the fresh answer without the cache");
  });
}

void RepeatedCachedRun(const CheckInput& in, Reporter& out) {
  EachReuse(in, out, [&](std::size_t i, double cached, double fresh) {
    if (fresh <= in.cold_allow || cached <= in.cold_allow) return;
    out.Find(At(i, "fresh/cached_n"), Text(fresh) + " on both sides' own count",
             "at most " + Text(in.cold_allow),
             "a cached answer that repeats itself is not shown to be right: make one side fresh");
  });
}

void CachedWasFresh(const CheckInput& in, Reporter& out) {
  EachReuse(in, out, [&](std::size_t i, double cached, double) {
    if (cached > in.cold_allow) return;
    out.Find(At(i, "cached/cached_n"), Text(cached), "more than " + Text(in.cold_allow),
             "prime the cache first: two fresh answers say nothing about it");
  });
}

void EmptyOutput(const CheckInput& in, Reporter& out) {
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    if (!c.empty() && !f.empty()) return;
    out.Find(At(i, c.empty() ? "cached/tokens" : "fresh/tokens"), "no token", "an answer",
             "ask for at least min_tokens tokens");
  });
}

void TooFewTokens(const CheckInput& in, Reporter& out) {
  auto least = NumberAt(in.report.Equivalence(), "min_tokens").value_or(16);
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    std::size_t n = std::min(c.size(), f.size());
    if (n == 0 || static_cast<double>(n) >= least) return;
    out.Find(At(i, "cached/tokens"), std::to_string(n) + " tokens", "at least " + Text(least),
             "compare longer answers; a few tokens agree by chance");
  });
}

bool Degenerate(const Json& tokens) {
  if (tokens.size() < 8) return false;
  std::map<std::string, double> count;
  for (const auto& token : tokens) ++count[DumpJson(token)];
  double entropy = 0;
  for (const auto& [token, n] : count) {
    double p = n / static_cast<double>(tokens.size());
    entropy -= p * std::log2(p);
  }
  return count.size() <= 2 || entropy < 1;
}

void DegenerateOutput(const CheckInput& in, Reporter& out) {
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    if (!Degenerate(c) && !Degenerate(f)) return;
    out.Find(At(i, "cached/tokens"), "the same one or two tokens over and over", "varied tokens",
             "use prompts that make the model say something");
  });
}

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

bool IsSet(const Json* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_string()) return !value->get_ref<const std::string&>().empty() && *value != "none";
  return true;
}

void NormalisedText(const CheckInput& in, Reporter& out) {
  if (Pairs(in) == nullptr) return out.Missing("equivalence/pairs");
  const Json* top = Find(in.report.Equivalence(), "normalised");
  if (IsSet(top))
    out.Find("/equivalence/normalised", DumpJson(*top), "bytes or token ids as they came",
             "compare before any clean-up");
  EachEquivalencePair(in, out, [&](std::size_t i, const Json& pair, const Json&, const Json&) {
    const Json* own = Find(pair, "normalised");
    if (IsSet(own))
      out.Find(At(i, "normalised"), DumpJson(*own), "bytes or token ids as they came",
               "compare before any clean-up");
  });
}

void PrefixOnly(const CheckInput& in, Reporter& out) {
  auto top = NumberAt(in.report.Equivalence(), "compared_prefix");
  EachTokenPair(in, out, [&](std::size_t i, const Json& pair, const Json& c, const Json& f) {
    auto compared = NumberAt(pair, "compared_prefix");
    if (!compared) compared = top;
    auto length = static_cast<double>(std::max(c.size(), f.size()));
    if (!compared || *compared >= length) return;
    out.Find(At(i, "compared_prefix"), Text(*compared) + " tokens compared", Text(length),
             "compare whole answers");
  });
}

void ClaimFalse(const CheckInput& in, Reporter& out) {
  EachTokenPair(in, out, [&](std::size_t i, const Json&, const Json& c, const Json& f) {
    if (c == f || c.empty() != f.empty() || !Claims(in)) return;
    std::size_t at = 0;
    while (at < std::min(c.size(), f.size()) && c[at] == f[at]) ++at;
    out.Find(At(i, "cached/tokens/") + std::to_string(at), at < c.size() ? DumpJson(c[at]) : "the end",
             at < f.size() ? DumpJson(f[at]) : "the end",
             "the answers differ: report the divergence instead of equality");
  });
}

void PromptInsensitive(const CheckInput& in, Reporter& out) {
  std::set<std::string> prompts;
  std::set<std::string> answers;
  EachTokenPair(in, out, [&](std::size_t i, const Json& pair, const Json& c, const Json&) {
    auto prompt = StringAt(pair, "prompt_sha256");
    if (!prompt) return out.Missing(At(i, "prompt_sha256").substr(1));
    prompts.insert(*prompt);
    answers.insert(DumpJson(c));
  });
  if (prompts.size() < 3 || answers.size() != 1) return;
  out.Find("/equivalence/pairs", std::to_string(prompts.size()) + " prompts, one answer",
           "answers that depend on the prompt",
           "this model cannot show a corrupted cache: use another, or other prompts");
}

const Json* Controls(const CheckInput& in) {
  const Json* controls = Find(in.report.Equivalence(), "negative_controls");
  return controls != nullptr && controls->is_array() ? controls : nullptr;
}

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

bool Statistical(const CheckInput& in) {
  const Json& e = in.report.Equivalence();
  std::string claim = StringAt(e, "claim").value_or("");
  return Find(e, "match_rate") != nullptr || claim.find("match_rate") != std::string::npos ||
         claim.find("statistical") != std::string::npos || (Claims(in) && IsHosted(in));
}

void NoBaseline(const CheckInput& in, Reporter& out) {
  if (!Statistical(in)) return;
  if (Find(in.report.Equivalence(), "uncached_vs_uncached") != nullptr) return;
  out.Find("/equivalence", "a match rate without uncached_vs_uncached", "how often two fresh answers agree",
           "measure the service's agreement with itself first");
}

void SameSlot(const CheckInput& in, Reporter& out) {
  EachEquivalencePair(in, out, [&](std::size_t i, const Json& pair, const Json& cached, const Json& fresh) {
    auto a = NumberAt(cached, "slot");
    auto b = NumberAt(fresh, "slot");
    if (!a || !b) return out.Missing(At(i, "fresh/slot").substr(1));
    bool flushed = BoolAt(fresh, "flushed").value_or(false) || BoolAt(pair, "flushed").value_or(false) ||
                   StringAt(fresh, "cold_method") || StringAt(in.report.Equivalence(), "cold_method");
    if (*a != *b || flushed) return;
    out.Find(At(i, "fresh/slot"), "slot " + Text(*b) + " on both sides, no flush recorded",
             "another slot, or a flush", "flush the slot, or record cold_method");
  });
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

}  // namespace

bool IsHosted(const CheckInput& in) {
  const Json& backend = in.report.Backend();
  if (auto hosted = BoolAt(backend, "hosted")) return *hosted;
  static const std::set<std::string> kinds = {"anthropic",  "openai",  "hosted", "google",
                                              "gemini",     "bedrock", "vertex", "deepseek",
                                              "openrouter", "mistral", "xai",    "groq"};
  return kinds.count(StringAt(backend, "kind").value_or("")) != 0;
}

std::vector<Check> EquivalenceChecks() {
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto declared = Absence::kDeclarable;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"E00", "equiv_without_evidence", F, declared, "equality claimed without answers", WithoutEvidence},
      {"E01a", "tautology_same_response", F, declared, "an answer compared with itself", SameResponse},
      {"E01b", "fresh_was_cached", F, declared, "the fresh side came from the cache", FreshWasCached},
      {"E01c", "cached_was_fresh", F, declared, "the cached side was fresh", CachedWasFresh},
      {"E02", "empty_output", F, declared, "nothing to compare", EmptyOutput},
      {"E03", "too_few_tokens", F, declared, "too short to tell", TooFewTokens},
      {"E04", "degenerate_output", F, declared, "one or two tokens repeated", DegenerateOutput},
      {"E05a", "stub_as_real", F, declared, "a stub presented as a model", StubAsReal},
      {"E05b", "synthetic_pass", F, need, "PASS on synthetic numbers", SyntheticPass},
      {"E06", "normalised_text", F, declared, "compared after a clean-up", NormalisedText},
      {"E07", "prefix_only", F, declared, "only the beginning was compared", PrefixOnly},
      {"E08", "claim_false", F, declared, "the answers differ", ClaimFalse},
      {"E09", "prompt_insensitive", F, declared, "one answer to every prompt", PromptInsensitive},
      {"E10a", "no_negative_control", F, declared, "no planted difference", NoNegativeControl},
      {"E10b", "negative_control_not_detected", F, declared, "the planted difference was not noticed",
       ControlNotDetected},
      {"E11", "text_only_equality", W, declared, "texts compared, not token ids", TextOnly},
      {"E12", "no_self_agreement_baseline", F, need,
       "a match rate without the service's agreement with itself", NoBaseline},
      {"E13", "fresh_was_cached", F, declared, "two cached answers agree", RepeatedCachedRun},
      {"E14", "same_slot_without_flush", W, free, "the fresh side ran in the same slot", SameSlot},
      {"E15", "renormalised_logprobs", W, free, "probabilities renormalised after top-k", Renormalised},
  };
}

}  // namespace helix::analysis
