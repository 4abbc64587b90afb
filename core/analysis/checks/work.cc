// Group B: different work in the two arms.
#include <set>

#include "core/analysis/checks/each.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

void PromptDiffers(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::prompt_sha256, "req/prompt_sha256",
             "send the same prompt in both calls of a pair");
  for (const auto& pair : in.report.pairs) {
    const SampleView& off = in.report.at(pair.off);
    const SampleView& on = in.report.at(pair.on);
    if (!Has(off.prompt_tokens_sha256) || !Has(on.prompt_tokens_sha256)) continue;
    if (off.prompt_tokens_sha256 == on.prompt_tokens_sha256) continue;
    out.Find(on.Pointer("req/prompt_tokens_sha256"), "token ids differ", "the same ids in both calls",
             "tokenise once and send the ids");
  }
}

bool Padded(const SampleView& off, const SampleView& on) {
  return Has(off.prompt_sha256) && off.prompt_sha256 == on.prompt_sha256 &&
         off.prompt_tokens > on.prompt_tokens;
}

void TokenCounts(const CheckInput& in, Reporter& out, bool padded) {
  auto has = [](const SampleView& s) { return Has(s.prompt_tokens); };
  EachPair(in, out, "server/prompt_tokens", has, [&](const SampleView& off, const SampleView& on) {
    if (off.prompt_tokens == on.prompt_tokens || Padded(off, on) != padded) return;
    out.Find(off.Pointer("server/prompt_tokens"),
             "off " + Text(off.prompt_tokens) + ", on " + Text(on.prompt_tokens),
             "the same number in both calls",
             padded ? "the cold prompt is longer under one hash: do not pad it"
                    : "use a nonce of the same token length");
  });
}

void PromptTokensDiffer(const CheckInput& in, Reporter& out) {
  TokenCounts(in, out, false);
}
void ColdArmPadded(const CheckInput& in, Reporter& out) {
  TokenCounts(in, out, true);
}

void OutputLengthDiffers(const CheckInput& in, Reporter& out) {
  Severity severity = in.metric == "total" ? Severity::kFail : Severity::kWarn;
  auto has = [](const SampleView& s) { return Has(s.out_n); };
  EachPair(in, out, "out/n", has, [&](const SampleView& off, const SampleView& on) {
    if (off.out_n == on.out_n) return;
    out.FindAs(severity, on.Pointer("out/n"), "off " + Text(off.out_n) + ", on " + Text(on.out_n),
               "the same length", "ask for a fixed number of tokens and ignore the end-of-text token");
  });
}

void FinishDiffers(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::finish, "out/finish", "make both calls end for the same reason");
}

void Truncated(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.truncated); };
  EachSample(in, out, "out/truncated", has, [&](const SampleView& s) {
    double context =
        Has(s.context_size) ? s.context_size : NumberAt(in.report.Backend(), "n_ctx").value_or(HUGE_VAL);
    bool shorter = s.prompt_tokens < s.client_prompt_tokens;
    bool overflow = s.prompt_tokens + s.out_n > context;
    if (s.truncated != Flag::kTrue && !shorter && !overflow) return;
    std::string seen = s.truncated == Flag::kTrue ? "truncated"
                       : shorter                  ? "fewer tokens than were sent"
                                                  : "longer than the context";
    out.Find(s.Pointer("out/truncated"), seen, "the whole prompt evaluated",
             "use a shorter prompt or a larger context");
  });
}

void ParamsDiffer(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::params_sha256, "req/params_sha256", "send the same sampling parameters");
}

bool ReadsHistory(const Json& sampler) {
  return NumberAt(sampler, "repeat_penalty").value_or(1) != 1 ||
         NumberAt(sampler, "presence_penalty").value_or(0) != 0 ||
         NumberAt(sampler, "frequency_penalty").value_or(0) != 0;
}

void NonGreedy(const CheckInput& in, Reporter& out) {
  const Json* sampler = Find(in.report.Plan(), "sampler");
  auto temperature = sampler == nullptr ? std::nullopt : NumberAt(*sampler, "temperature");
  if (!temperature) return out.Missing("plan/sampler/temperature");
  bool greedy = *temperature == 0 || IntAt(*sampler, "top_k") == 1;
  if (greedy && !ReadsHistory(*sampler)) return;
  bool equality = StringAt(in.report.Equivalence(), "claim").has_value();
  out.FindAs(equality ? Severity::kFail : Severity::kInconclusive, "/plan/sampler", DumpJson(*sampler),
             "temperature 0 or top_k 1, no penalties", "use greedy decoding for a claim of equal tokens");
}

void EnvironmentDiffers(const CheckInput& in, Reporter& out) {
  std::string_view first;
  auto has = [](const SampleView& s) { return Has(s.env_id); };
  EachSample(in, out, "env_id", has, [&](const SampleView& s) {
    if (!Has(first)) first = s.env_id;
    if (s.env_id == first) return;
    out.Find(s.Pointer("env_id"), std::string(s.env_id), std::string(first) + " as in the first call",
             "measure both arms on one machine, model and build");
  });
}

void WeightsDiffer(const CheckInput& in, Reporter& out) {
  std::optional<std::string> stated = StringAt(in.report.Backend(), "model/weights_sha256");
  std::string_view first = stated ? std::string_view(*stated) : std::string_view();
  bool missing = in.report.sequence.empty();
  for (std::size_t i : in.report.sequence) {
    const SampleView& s = in.report.at(i);
    if (!Has(s.weights_sha256)) {
      missing = true;
      continue;
    }
    if (!Has(first)) first = s.weights_sha256;
    if (s.weights_sha256 == first) continue;
    out.Find(s.Pointer("weights_sha256"), std::string(s.weights_sha256), std::string(first),
             "the same name can hide another quantisation: use one file");
  }
  if (missing) out.Missing("weights_sha256");
}

void LoadDiffers(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::concurrency, "client/concurrency",
             "measure both calls under the same load");
  for (std::size_t i : in.report.sequence) {
    const SampleView& s = in.report.at(i);
    if (!(s.running > 1) || s.concurrency > 1) continue;
    out.Find(s.Pointer("server/running"), Text(s.running) + " requests running", "one",
             "keep other clients away from the server");
  }
}

void TransportDiffers(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return s.transport != nullptr; };
  EachPair(in, out, "transport", has, [&](const SampleView& off, const SampleView& on) {
    if (*off.transport == *on.transport) return;
    out.Find(on.Pointer("transport"), DumpJson(*off.transport) + " against " + DumpJson(*on.transport),
             "the same transport", "stream in both calls or in neither, over the same protocol");
  });
}

void RestartThatWasNone(const CheckInput& in, Reporter& out) {
  auto planned = BoolAt(in.report.Plan(), "restart_between_arms");
  if (!planned) return out.Missing("plan/restart_between_arms");
  std::set<std::string_view> off;
  auto has = [](const SampleView& s) { return Has(s.boot_id); };
  EachSample(in, out, "server/boot_id", has, [&](const SampleView& s) {
    if (s.arm == Arm::kOff) off.insert(s.boot_id);
  });
  if (!*planned) return;
  for (std::size_t i : in.report.on) {
    const SampleView& s = in.report.at(i);
    if (!Has(s.boot_id) || off.count(s.boot_id) == 0) continue;
    return out.Find(s.Pointer("server/boot_id"), std::string(s.boot_id) + " served both arms",
                    "another boot in each arm", "wait for the old process to end before starting the next");
  }
}

void NonceNotFirst(const CheckInput& in, Reporter& out) {
  auto method = StringAt(in.report.Plan(), "cold_method");
  if (!method) return out.Missing("plan/cold_method");
  if (method->rfind("nonce", 0) != 0) return;
  bool missing = false;
  for (std::size_t i : in.report.off) {
    const SampleView& s = in.report.at(i);
    missing |= !Has(s.lcp_prev);
    if (!(s.lcp_prev > in.cold_allow)) continue;
    out.Find(s.Pointer("lcp_prev"), Text(s.lcp_prev), "at most " + Text(in.cold_allow) + " before the nonce",
             "put the nonce at the first token; later ones leave the prefix shared");
  }
  if (missing) out.Missing("lcp_prev");
}

void ReasoningHidden(const CheckInput& in, Reporter& out) {
  SameInPair(in, out, &SampleView::ttft_event, "client/ttft_event", "time the same event in both calls");
  for (const auto& pair : in.report.pairs) {
    const SampleView& off = in.report.at(pair.off);
    const SampleView& on = in.report.at(pair.on);
    if (!Has(off.reasoning_tokens) || !Has(on.reasoning_tokens) ||
        off.reasoning_tokens == on.reasoning_tokens)
      continue;
    out.Find(on.Pointer("out/reasoning_tokens"),
             "off " + Text(off.reasoning_tokens) + ", on " + Text(on.reasoning_tokens), "the same number",
             "time the first token of any kind");
  }
}

void OtherModelAnswered(const CheckInput& in, Reporter& out) {
  auto has = [](const SampleView& s) { return Has(s.response_model) || Has(s.fingerprint); };
  EachPair(in, out, "server/resp_model", has, [&](const SampleView& off, const SampleView& on) {
    if (off.response_model == on.response_model && off.fingerprint == on.fingerprint) return;
    out.Find(on.Pointer("server/resp_model"),
             Shown(off.response_model) + " " + Shown(off.fingerprint) + " against " +
                 Shown(on.response_model) + " " + Shown(on.fingerprint),
             "one model for both calls", "switch the router's fallback off");
  });
}

}  // namespace

std::vector<Check> WorkChecks() {
  constexpr auto F = Severity::kFail;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"B01", "prompt_differs", F, need, "different prompts in one pair", PromptDiffers},
      {"B02", "prompt_tokens_differ", F, need, "different prompt lengths in one pair", PromptTokensDiffer},
      {"B03", "output_len_differs", F, need, "different output lengths (a warning where only TTFT counts)",
       OutputLengthDiffers},
      {"B04", "finish_differs", F, need, "the calls ended for different reasons", FinishDiffers},
      {"B05", "truncated", F, need, "the prompt was cut", Truncated},
      {"B06", "params_differ", F, need, "different sampling parameters", ParamsDiffer},
      {"B07", "non_greedy", F, need, "sampling under a claim of equal tokens", NonGreedy},
      {"B08", "env_differs", F, need, "another machine, model or build", EnvironmentDiffers},
      {"B09", "weights_differ", F, free, "other weights under the same name", WeightsDiffer},
      {"B10", "load_differs", F, need, "different load in one pair", LoadDiffers},
      {"B11", "transport_differs", F, free, "stream against non-stream, or another protocol",
       TransportDiffers},
      {"B12", "restart_did_not_restart", F, free, "the planned restart left the old process in place",
       RestartThatWasNone},
      {"B13", "prompt_tokens_differ", F, need, "the cold prompt was padded under one hash", ColdArmPadded},
      {"B14", "nonce_not_first", F, free, "a nonce behind the shared prefix", NonceNotFirst},
      {"B15", "ttft_event_differs", F, need, "the arms time different events", ReasoningHidden},
      {"B16", "other_model_answered", F, free, "a router answered with another model", OtherModelAnswered},
  };
}

}  // namespace helix::analysis
