#include "core/analysis/golden/boundaries.h"
#include "core/analysis/golden/edit.h"

namespace helix::analysis {
namespace {

using namespace edit;

std::int64_t Whole(double v) {
  return static_cast<std::int64_t>(v);
}

// Every decode phase of the on arm takes 1/ratio of its time.
void DecodeRatio(Json& r, double ratio) {
  Each(r, "on", [&](Json& s, int) {
    double decode = Num(s, "client", "total_ns") - Num(s, "client", "ttft_ns");
    s["client"]["total_ns"] = Whole(Num(s, "client", "ttft_ns") + decode / ratio);
    Scale(s, "server", "predicted_ms", 1 / ratio);
  });
  Respace(r);
}

// The shortest of twenty times is `v` ticks of 540 microseconds.
void Ticks(Json& r, double v) {
  Each(r, "on", [&](Json& s, int i) {
    std::int64_t ticks = Whole(v) + (i * 7) % 20;
    Delay(s, ticks * 540'001 - s["client"]["ttft_ns"].get<std::int64_t>());
    s["server"]["prompt_ms"] = static_cast<double>(ticks) * 0.54 - 1.3;
  });
  Respace(r);
}

void OneTtft(Json& r, double ns) {
  Json& s = Nth(r, "on", 4);
  Delay(s, Whole(ns) - s["client"]["ttft_ns"].get<std::int64_t>());
  s["server"]["prompt_ms"] = ns / 1e6 / 2;
  Respace(r);
}

// The call at `i` is sent `ns` after the one before it ended.
void SendAfter(Json& r, std::size_t i, double ns) {
  const Json& before = r["samples"][i - 1]["client"];
  r["samples"][i]["client"]["t_send_ns"] =
      before["t_send_ns"].get<std::int64_t>() + before["total_ns"].get<std::int64_t>() + Whole(ns);
}

void LateByForty(Json& r, double how_many) {
  Each(r, "off", [&](Json& s, int i) {
    if (i < how_many) Delay(s, 40'000'000);
  });
  Respace(r);
}

}  // namespace

std::vector<Boundary> ClockBoundaries() {
  return {
      {"C01", "decode_rate_differs", "decode-within-ten-percent", DecodeRatio, 1.09, 1.12},
      {"C03", "first_sample_cold_start", "half-slower-than-the-median",
       [](Json& r, double v) {
         Json& s = Nth(r, "off", 0);
         ScalePrefill(s, v * 880e6 / Num(s, "client", "ttft_ns"));
         Respace(r);
       },
       1.45, 1.55},
      {"C04", "server_gt_client", "two-percent-and-two-ms",
       [](Json& r, double v) {
         Json& s = Nth(r, "off", 5);
         s["server"]["prompt_ms"] = Num(s, "client", "ttft_ns") / 1e6 * 1.02 + 2 + v;
       },
       -0.001, 0.001},
      {"C04", "total_lt_ttft", "total-equals-ttft",
       [](Json& r, double v) {
         Json& s = Nth(r, "off", 5);
         s["client"]["total_ns"] = s["client"]["ttft_ns"].get<std::int64_t>() + Whole(v);
       },
       0, -1},
      {"C05", "clock_backwards", "sent-at-the-same-time",
       [](Json& r, double v) {
         r["samples"][9]["client"]["t_send_ns"] =
             r["samples"][8]["client"]["t_send_ns"].get<std::int64_t>() + Whole(v);
       },
       0, -1},
      {"C06", "unit_confusion", "three-hundred-times",
       [](Json& r, double v) {
         Each(r, "off",
              [&](Json& s, int) { s["server"]["prompt_ms"] = Num(s, "client", "ttft_ns") / 1e6 / v; });
       },
       299, 301},
      {"C07", "clock_too_coarse", "hundred-ticks", Ticks, 100, 99},
      {"C08", "nonpositive_or_nan", "a-duration-above-zero",
       [](Json& r, double v) { Nth(r, "on", 3)["server"]["prompt_ms"] = v; }, 0.001, 0},
      {"C09", "below_rtt_floor", "the-round-trip", OneTtft, 20'000, 19'999},
      {"C10a", "prefill_below_flop_floor", "half-of-peak", OneTtft, 12'800'000, 12'799'999},
      {"C10b", "decode_below_bandwidth_floor", "half-of-memory-rate",
       [](Json& r, double v) {
         Json& s = Nth(r, "on", 4);
         s["client"]["total_ns"] = s["client"]["ttft_ns"].get<std::int64_t>() + Whole(v);
       },
       77'500'000, 77'499'999},
      {"C11", "overlap_in_sequential_plan", "sent-when-the-last-ended",
       [](Json& r, double v) { SendAfter(r, 7, v); }, 0, -1},
      {"C12", "sum_gt_wall", "wall-equals-sum",
       [](Json& r, double v) {
         std::int64_t sum = 0;
         All(r, [&](Json& s, int) { sum += s["client"]["total_ns"].get<std::int64_t>(); });
         r["wall_ns"] = sum + Whole(v);
       },
       0, -1},
      {"C14", "queue_asymmetry", "hundredth-of-the-ttft",
       [](Json& r, double v) {
         Each(r, "off", [&](Json& s, int i) { s["server"]["queue_ms"] = v + 0.0001 * i; });
         Each(r, "on", [&](Json& s, int) { s["server"]["queue_ms"] = 0.0; });
       },
       0.50, 0.58},
      {"C15", "client_work_in_one_arm", "hundredth-of-the-ttft-for-building",
       [](Json& r, double v) {
         Each(r, "off", [&](Json& s, int i) { s["client"]["t_build_ns"] = Whole(v) + 10 * i; });
         Each(r, "on", [&](Json& s, int) { s["client"]["t_build_ns"] = 0; });
       },
       500'000, 580'000},
      {"C17", "implausible_timestamp", "a-minute-before-the-plan",
       [](Json& r, double v) {
         r["plan"]["created_unix"] = 1'790'000'000;
         SetAll(r, "server", "created", 1'790'000'010);
         Nth(r, "on", 2)["server"]["created"] = 1'790'000'000 + Whole(v);
       },
       -60, -61},
      {"C18", "transport_artefact", "a-fifth-late-by-forty-ms", LateByForty, 3, 4},
      {"C19", "first_event_token_count_differs", "one-token-more",
       [](Json& r, double v) {
         SetAll(r, "client", "tokens_in_first_event", 1);
         Set(r, "on", "client", "tokens_in_first_event", v);
       },
       1, 2},
      {"C20", "power_state_differs", "ten-percent-of-clock-rate",
       [](Json& r, double v) {
         SetAll(r, "client", "mhz", 2000);
         Set(r, "off", "client", "mhz", v);
       },
       1800, 1799},
      {"F04", "plan_after_data", "planned-at-the-first-call",
       [](Json& r, double v) {
         r["t_plan_ns"] = r["samples"][0]["client"]["t_send_ns"].get<std::int64_t>() + Whole(v);
       },
       0, 1},
  };
}

}  // namespace helix::analysis
