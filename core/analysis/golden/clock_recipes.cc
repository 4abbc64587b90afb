#include <cmath>

#include "core/analysis/golden/edit.h"

namespace helix::analysis {
namespace {

using namespace edit;

void Quantise(Json& s, std::int64_t step) {
  auto v = s["client"]["ttft_ns"].get<std::int64_t>();
  Delay(s, (v + step - 1) / step * step - v);
}

std::int64_t Ttft(const Json& s) {
  return s["client"]["ttft_ns"].get<std::int64_t>();
}

// Decoding takes this long per token, on both clocks.
void Decode(Json& s, double ms_per_token) {
  s["server"]["predicted_ms"] = ms_per_token * 31;
  s["client"]["total_ns"] =
      Ttft(s) + static_cast<std::int64_t>(ms_per_token * 31e6) + 400'000 + Ttft(s) % 200'000;
}

}  // namespace

std::vector<Recipe> ClockRecipes() {
  return {
      {"C01",
       "decode_rate_differs",
       "decode-rate-differs",
       [](Json& r) { Each(r, "on", [](Json& s, int) { Scale(s, "server", "predicted_ms", 0.6); }); },
       {}},
      {"C01",
       "decode_speedup_credited",
       "decode-speedup-credited",
       [](Json& r) {
         r["claim"]["metric"] = "total";
         Each(r, "on", [](Json& s, int) { Scale(s, "server", "predicted_ms", 0.6); });
       },
       {}},
      {"C02",
       "conn_setup_asymmetry",
       "conn-setup-asymmetry",
       [](Json& r) { Each(r, "off", [](Json& s, int) { s["client"]["conn_reused"] = false; }); },
       {}},
      {"C03",
       "first_sample_cold_start",
       "first-sample-cold-start",
       [](Json& r) {
         Delay(Nth(r, "off", 0), 9'000'000'000);
         Respace(r);
       },
       {}},
      {"C04",
       "server_gt_client",
       "server-gt-client",
       [](Json& r) { Scale(Nth(r, "off", 4), "server", "prompt_ms", 1.2); },
       {}},
      {"C04",
       "total_lt_ttft",
       "total-lt-ttft",
       [](Json& r) {
         Json& s = Nth(r, "on", 0);
         s["client"]["total_ns"] = Ttft(s) - 5;
       },
       {"decode_below_bandwidth_floor", "server_gt_client"}},
      {"C05",
       "clock_backwards",
       "clock-backwards",
       [](Json& r) {
         All(r, [](Json& s, int i) {
           if (i > 20)
             s["client"]["t_send_ns"] = s["client"]["t_send_ns"].get<std::int64_t>() - 3'600'000'000'000;
         });
       },
       {}},
      {"C06",
       "unit_confusion",
       "unit-confusion",
       [](Json& r) {
         All(r, [](Json& s, int) {
           Scale(s, "server", "prompt_ms", 1e-3);
           Scale(s, "server", "predicted_ms", 1e-3);
         });
       },
       {}},
      {"C07",
       "clock_too_coarse",
       "clock-too-coarse",
       [](Json& r) {
         All(r, [](Json& s, int) { Quantise(s, 600'011); });
         Respace(r);
       },
       {}},
      {"C08",
       "nonpositive_or_nan",
       "nonpositive",
       [](Json& r) { Nth(r, "on", 3)["server"]["prompt_ms"] = -52.1; },
       {},
       kPlan | kTree},
      {"C08",
       "nonpositive_or_nan",
       "duration-as-text",
       [](Json& r) { Nth(r, "on", 3)["server"]["prompt_ms"] = "52.1"; },
       {}},
      {"C09",
       "below_rtt_floor",
       "below-rtt-floor",
       [](Json& r) { r["env"]["rtt_floor_ns"] = 200'000'000; },
       {}},
      {"C10a",
       "prefill_below_flop_floor",
       "prefill-below-flop-floor",
       [](Json& r) {
         Json& s = Nth(r, "off", 2);
         ScalePrefill(s, 1.0 / 8);
         Respace(r);
       },
       {}},
      {"C10b",
       "decode_below_bandwidth_floor",
       "decode-below-bandwidth-floor",
       [](Json& r) {
         All(r, [](Json& s, int i) { Decode(s, 0.5 + 0.001 * (i % 7)); });
         Respace(r);
       },
       {}},
      {"C11",
       "overlap_in_sequential_plan",
       "overlap",
       [](Json& r) {
         Json& s = r["samples"][5];
         s["client"]["t_send_ns"] = s["client"]["t_send_ns"].get<std::int64_t>() - 5'000'000;
       },
       {}},
      {"C12",
       "sum_gt_wall",
       "sum-gt-wall",
       [](Json& r) { r["wall_ns"] = r["wall_ns"].get<std::int64_t>() / 3; },
       {}},
      {"C13",
       "ttft_not_first_token",
       "ttft-not-first-token",
       [](Json& r) { SetAll(r, "client", "ttft_event", "http_headers"); },
       {}},
      {"C14",
       "queue_asymmetry",
       "queue-asymmetry",
       [](Json& r) {
         Each(r, "off", [](Json& s, int) {
           s["server"]["queue_ms"] = 30 + static_cast<double>(Ttft(s) % 1000) / 1000;
         });
         Set(r, "on", "server", "queue_ms", 0.1);
       },
       {}},
      {"C15",
       "client_work_in_one_arm",
       "client-work-in-one-arm",
       [](Json& r) {
         Each(r, "off", [](Json& s, int) { s["client"]["t_build_ns"] = 30'000'000 + Ttft(s) % 1000; });
         Set(r, "on", "client", "t_build_ns", 50'000);
       },
       {}},
      {"C16",
       "clock_mixed",
       "clock-mixed",
       [](Json& r) {
         SetAll(r, "client", "clock_id", "steady");
         Nth(r, "on", 2)["client"]["clock_ids"] = {{"t_send_ns", "steady"}, {"t_first_token", "server"}};
       },
       {}},
      {"C17",
       "implausible_timestamp",
       "implausible-timestamp",
       [](Json& r) {
         r["plan"]["created_unix"] = 1'796'000'000;
         SetAll(r, "server", "created", 1'796'000'100);
         Nth(r, "on", 2)["server"]["created"] = 1'795'913'600;
       },
       {}},
      {"C18",
       "transport_artefact",
       "transport-artefact",
       [](Json& r) {
         Each(r, "off", [](Json& s, int i) {
           if (i % 2 == 1) Delay(s, 40'000'000);
         });
         Respace(r);
       },
       {}},
      {"C19",
       "first_event_token_count_differs",
       "first-event-token-count-differs",
       [](Json& r) {
         Set(r, "on", "client", "tokens_in_first_event", 1);
         Set(r, "off", "client", "tokens_in_first_event", 8);
       },
       {}},
      {"C20",
       "power_state_differs",
       "power-state-differs",
       [](Json& r) { All(r, [](Json& s, int) { s["mhz"] = s["arm"] == "on" ? 1980 : 300; }); },
       {}},
  };
}

}  // namespace helix::analysis
