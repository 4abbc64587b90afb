#include "core/analysis/golden/edit.h"
#include "core/evidence/digest.h"

namespace helix::analysis {
namespace {

using namespace edit;

std::string Other(int i) {
  return evidence::Sha256Hex("another " + std::to_string(i));
}

void Longer(Json& s, int tokens) {
  s["server"]["prompt_tokens"] = tokens;
  Reuse(s, s["server"]["cached_n"].get<int>());
}

}  // namespace

std::vector<Recipe> WorkRecipes() {
  return {
      {"B01",
       "prompt_differs",
       "prompt-differs",
       [](Json& r) { Each(r, "off", [](Json& s, int i) { s["req"]["prompt_sha256"] = Other(i); }); },
       {}},
      {"B02",
       "prompt_tokens_differ",
       "prompt-tokens-differ",
       [](Json& r) { Each(r, "on", [](Json& s, int) { Longer(s, 2180); }); },
       {}},
      {"B03",
       "output_len_differs",
       "output-len-differs",
       [](Json& r) { Nth(r, "on", 1)["out"]["n"] = 31; },
       {}},
      {"B04",
       "finish_differs",
       "finish-differs",
       [](Json& r) { Nth(r, "on", 1)["out"]["finish"] = "stop"; },
       {}},
      {"B05", "truncated", "truncated", [](Json& r) { Nth(r, "on", 1)["out"]["truncated"] = true; }, {}},
      {"B05",
       "truncated",
       "prompt-cut",
       [](Json& r) { Nth(r, "off", 1)["req"]["client_prompt_tokens"] = 4000; },
       {}},
      {"B06",
       "params_differ",
       "params-differ",
       [](Json& r) { Nth(r, "on", 1)["req"]["params_sha256"] = Other(1); },
       {}},
      {"B07", "non_greedy", "non-greedy", [](Json& r) { r["plan"]["sampler"]["temperature"] = 0.8; }, {}},
      {"B08",
       "env_differs",
       "env-differs",
       [](Json& r) { Each(r, "on", [](Json& s, int) { s["env_id"] = "e2"; }); },
       {}},
      {"B09",
       "weights_differ",
       "weights-differ",
       [](Json& r) { All(r, [](Json& s, int) { s["weights_sha256"] = Other(s["arm"] == "on" ? 1 : 0); }); },
       {}},
      {"B10", "load_differs", "load-differs", [](Json& r) { Set(r, "off", "client", "concurrency", 8); }, {}},
      {"B11",
       "transport_differs",
       "transport-differs",
       [](Json& r) { All(r, [](Json& s, int) {
                       s["transport"] = {{"stream", s["arm"] == "on"}};
                     }); },
       {}},
      {"B12",
       "restart_did_not_restart",
       "restart-did-not-restart",
       [](Json& r) { r["plan"]["restart_between_arms"] = true; },
       {}},
      {"B13",
       "prompt_tokens_differ",
       "cold-arm-padded",
       [](Json& r) { Each(r, "off", [](Json& s, int) { Longer(s, 2176 + 512); }); },
       {}},
      {"B14",
       "nonce_not_first",
       "nonce-not-first",
       [](Json& r) { r["plan"]["cold_method"] = "nonce_first"; },
       {}},
      {"B15",
       "ttft_event_differs",
       "reasoning-hidden",
       [](Json& r) { Set(r, "off", "client", "ttft_event", "first_visible_token"); },
       {"ttft_not_first_token"}},
      {"B15",
       "ttft_event_differs",
       "reasoning-tokens-differ",
       [](Json& r) {
         SetAll(r, "out", "reasoning_tokens", 8);
         Nth(r, "on", 2)["out"]["reasoning_tokens"] = 0;
       },
       {}},
      {"B16",
       "other_model_answered",
       "other-model-answered",
       [](Json& r) {
         SetAll(r, "server", "resp_model", "golden-0.5b");
         Nth(r, "on", 2)["server"]["resp_model"] = "mini";
       },
       {}},
  };
}

}  // namespace helix::analysis
