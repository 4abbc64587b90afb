// Replies, traces, logs, server facts and measurements: what each may conclude, and what it may not.
#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "core/consistency/case_diagnosis.h"
#include "core/consistency/log_diagnosis.h"
#include "core/consistency/reply_text.h"

namespace helix::consistency {
namespace {

struct Row {
  const char* kind;
  const char* input;
  const char* verdict;
};

void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto result = DiagnoseCase(Json{{"kind", row.kind}, {"input", *ParseJson(row.input)}}, {});
    ASSERT_TRUE(result) << row.input;
    EXPECT_EQ(StringAt(*result, "verdict"), row.verdict) << row.input << "\n" << result->dump();
  }
}

TEST(Reply, ReuseIsAShareAndNotACountAboveZero) {
  Check(
      {{"reply",
        R"({"usage":{"prompt_tokens":900,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":640}}})",
        "OK_PARTIAL_HIT"},
       {"reply",
        R"({"usage":{"prompt_tokens":900,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}})",
        "UNCONFIRMED"},
       {"reply",
        R"({"usage":{"prompt_tokens":900,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":0}}})",
        "UNCONFIRMED"},
       {"reply",
        R"({"usage":{"input_tokens":4,"cache_creation_input_tokens":0,"cache_read_input_tokens":5000,"output_tokens":2}})",
        "OK_PARTIAL_HIT"}});
}

TEST(Reply, NotReportedIsNotZero) {
  Check(
      {{"reply",
        R"({"object":"chat.completion","choices":[],"usage":{"prompt_tokens":25,"completion_tokens":4,"prompt_tokens_details":null}})",
        "REPORTING_OFF"},
       {"reply",
        R"({"object":"chat.completion","choices":[],"usage":{"prompt_tokens":25,"completion_tokens":4}})",
        "REPORTING_OFF"},
       {"reply",
        R"({"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":561,"output_tokens":1}})",
        "REPORTING_OFF"},
       {"reply",
        R"({"id":"chatcmpl-9","type":"message","role":"assistant","content":[],"usage":{"input_tokens":5,"output_tokens":3}})",
        "REPORTING_DROPPED_BY_GATEWAY"},
       {"reply",
        R"({"direct":{"usage":{"prompt_tokens":50,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":44}}},"gateway":{"type":"message","usage":{"input_tokens":50,"output_tokens":3}}})",
        "REPORTING_DROPPED_BY_GATEWAY"}});
}

TEST(Reply, WritesThatAreNotReportedAreNotZero) {
  Check(
      {{"reply",
        R"({"request_has_cache_control":true,"model":"claude-sonnet-4-5","prefix_tokens":9000,"usage":{"input_tokens":9000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2}})",
        "CACHE_NOT_FUNCTIONING"},
       {"reply",
        R"({"request_has_cache_control":true,"model":"claude-sonnet-4-5","prefix_tokens":9000,"type":"message","usage":{"input_tokens":9000,"cache_read_input_tokens":0,"output_tokens":2}})",
        "UNCONFIRMED"}});
}

TEST(Reply, AnthropicsMinimumIsPerModel) {
  Check(
      {{"reply",
        R"({"backend":"anthropic","request_has_cache_control":true,"prefix_tokens":900,"model_min":1024,"usage":{"input_tokens":900,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}})",
        "BELOW_MINIMUM"},
       {"reply",
        R"({"backend":"anthropic","request_has_cache_control":true,"model":"claude-haiku-4-5-20251001","usage":{"input_tokens":3000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}})",
        "BELOW_MINIMUM"},
       {"reply",
        R"({"backend":"anthropic","request_has_cache_control":true,"model":"claude-sonnet-4-6","usage":{"input_tokens":3000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}})",
        "CACHE_NOT_FUNCTIONING"},
       {"reply",
        R"({"backend":"anthropic","request_has_cache_control":false,"usage":{"input_tokens":9000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}})",
        "BREAKPOINT_MISSING"},
       {"reply",
        R"({"backend":"anthropic","model":"m","usage":{"input_tokens":9000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}})",
        "UNCONFIRMED"}});
}

TEST(Reply, ABlockBoundsWhatCanBeReused) {
  Check(
      {{"reply",
        R"({"backend":"vllm","shared_prefix_tokens":14,"block_size":16,"metrics_delta":{"queries":40,"hits":0}})",
        "BELOW_BLOCK"},
       {"reply",
        R"({"backend":"vllm","shared_prefix_tokens":700,"block_size":832,"metrics_delta":{"queries":1400,"hits":0}})",
        "BELOW_BLOCK"},
       {"reply",
        R"({"backend":"vllm","shared_prefix_tokens":900,"block_size":832,"metrics_delta":{"queries":1800,"hits":0}})",
        "ENGINE_CANNOT_REUSE"},
       {"reply",
        R"({"backend":"vllm","shared_prefix_tokens":900,"block_size":16,"metrics_delta":{"queries":1800,"hits":896}})",
        "OK_PARTIAL_HIT"}});
}

TEST(Trace, EntriesExpireOrAreLostOrAreRead) {
  Check(
      {{"reply_trace",
        R"({"backend":"anthropic","ttl_s":300,"gap_s":301,"prefix_equal":true,"usage":{"input_tokens":2,"cache_creation_input_tokens":9000,"cache_read_input_tokens":0}})",
        "TTL_EXPIRED"},
       {"reply_trace",
        R"({"backend":"anthropic","ttl_s":300,"gap_s":300,"prefix_equal":true,"usage":{"input_tokens":2,"cache_creation_input_tokens":9000,"cache_read_input_tokens":0}})",
        "UNEXPLAINED_SERVER_SIDE"},
       {"reply_trace",
        R"({"backend":"anthropic","ttl_s":300,"gap_s":900,"prefix_equal":true,"usage":{"input_tokens":2,"cache_creation_input_tokens":10,"cache_read_input_tokens":9000}})",
        "OK_PARTIAL_HIT"},
       {"reply_trace",
        R"({"backend":"anthropic","ttl_s":300,"gap_s":900,"prefix_equal":false,"usage":{"input_tokens":2,"cache_creation_input_tokens":9000,"cache_read_input_tokens":0}})",
        "UNCONFIRMED"}});
}

TEST(Trace, AFrozenReadNeedsThreeTurnsAndGrowingWrites) {
  Check(
      {{"reply_trace",
        R"({"trace":[{"cache_read":100,"cache_write":5},{"cache_read":100,"cache_write":9},{"cache_read":100,"cache_write":20}]})",
        "BREAKPOINT_NOT_ADVANCING"},
       {"reply_trace",
        R"({"trace":[{"cache_read":7,"cache_write":5},{"cache_read":5000,"cache_write":9},{"cache_read":5000,"cache_write":20},{"cache_read":5000,"cache_write":21}]})",
        "BREAKPOINT_NOT_ADVANCING"},
       {"reply_trace",
        R"({"trace":[{"cache_read":100,"cache_write":5},{"cache_read":105,"cache_write":9},{"cache_read":114,"cache_write":20}]})",
        "OK_PARTIAL_HIT"},
       {"reply_trace", R"({"trace":[{"cache_read":100,"cache_write":5},{"cache_read":100,"cache_write":9}]})",
        "OK_PARTIAL_HIT"},
       {"reply_trace",
        R"({"trace":[{"cache_read":100,"cache_write":9},{"cache_read":100,"cache_write":9},{"cache_read":100,"cache_write":9}]})",
        "OK_PARTIAL_HIT"}});
}

TEST(Trace, SlotsRoutesAndSnapshots) {
  Check(
      {{"reply_trace", R"({"cached":[1,200,1],"prompt":[220,221,222]})", "SLOT_CONTENTION"},
       {"reply_trace", R"({"cached":[200,201,199],"prompt":[220,221,222]})", "OK_PARTIAL_HIT"},
       {"reply_trace", R"({"cached":[1,1,1,1],"prompt":[220,221,222,223]})", "SLOT_CONTENTION"},
       {"reply_trace",
        R"({"trace":[{"provider":"P1","cached":0,"prompt":5000},{"provider":"P1","cached":4900,"prompt":5100},{"provider":"P2","cached":0,"prompt":5200}]})",
        "ROUTE_CHANGED"},
       {"reply_trace",
        R"({"trace":[{"provider":"P1","cached":0,"prompt":5000},{"provider":"P2","cached":4900,"prompt":5100}]})",
        "OK_PARTIAL_HIT"},
       {"reply_trace",
        R"({"trace":[{"matched":900,"cached":512},{"matched":1000,"cached":512},{"matched":1020,"cached":512}]})",
        "SNAPSHOT_GRID"},
       {"reply_trace", R"({"trace":[{"matched":900,"cached":899},{"matched":1000,"cached":999}]})",
        "OK_PARTIAL_HIT"},
       {"reply_trace", R"({"trace":[{"matched":900,"cached":0},{"matched":1000,"cached":0}]})",
        "ENGINE_CANNOT_REUSE"}});
}

TEST(Trace, WhatIsNotReportedIsNoMissNoWriteAndNoPrompt) {
  Check({{"reply_trace", R"({"cached":[200,null,199],"prompt":[220,221,222]})", "UNCONFIRMED"},
         {"reply_trace", R"({"prefix_equal":true,"gap_s":10,"ttl_s":300,"trace":[{"cache_read":4}]})",
          "UNEXPLAINED_SERVER_SIDE"},
         {"reply_trace", R"({"prefix_equal":true,"gap_s":10,"ttl_s":300,"trace":[{"cache_read":4000}]})",
          "OK_PARTIAL_HIT"},
         {"reply_trace", R"({"trace":[{"cache_read":0},{"cache_read":1}]})", "UNCONFIRMED"},
         {"reply_trace",
          R"({"trace":[{"cache_read":0,"cache_write":900,"prompt":950},{"cache_read":0,"prompt":950}]})",
          "UNCONFIRMED"},
         {"reply_trace", R"({"trace":[{"ttft_ms":900},{"ttft_ms":100}]})", "REPORTING_OFF"}});
  const auto found =
      DiagnoseCase(Json{{"kind", "reply_trace"},
                        {"input", *ParseJson(R"({"prefix_equal":true,"trace":[{"cache_read":4000}]})")}},
                   {});
  ASSERT_TRUE(found);
  EXPECT_NE(found->dump().find("an unknown number of tokens"), std::string::npos) << found->dump();
}

TEST(Trace, SilenceWithAndWithoutAGainInTime) {
  const std::string null =
      R"("usage":{"prompt_tokens":4000,"completion_tokens":1,"total_tokens":4001,"prompt_tokens_details":null})";
  const auto trace = [&null](int first, int later) {
    return R"({"trace":[{"ttft_ms":)" + std::to_string(first) + "," + null + R"(},{"ttft_ms":)" +
           std::to_string(later) + "," + null + "}]}";
  };
  Check({{"reply_trace", trace(3000, 200).c_str(), "REPORTING_OFF_TIMING_SUGGESTS_HIT"},
         {"reply_trace", trace(3000, 2900).c_str(), "REPORTING_OFF"},
         {"reply_trace", trace(3000, 1400).c_str(), "REPORTING_OFF"}});
}

TEST(Trace, WrittenEachTimeAndNeverRead) {
  Check(
      {{"reply_trace",
        R"({"trace":[{"usage":{"input_tokens":10,"cache_creation_input_tokens":4000,"cache_read_input_tokens":0},"ttft_ms":90},{"usage":{"input_tokens":10,"cache_creation_input_tokens":4000,"cache_read_input_tokens":0},"ttft_ms":91}]})",
        "CACHE_NOT_FUNCTIONING"},
       {"reply_trace",
        R"({"trace":[{"usage":{"input_tokens":10,"cache_creation_input_tokens":4000,"cache_read_input_tokens":0}},{"usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":4000}}]})",
        "OK_PARTIAL_HIT"},
       {"reply_trace",
        R"({"trace":[{"usage":{"input_tokens":10,"cache_creation_input_tokens":4000,"cache_read_input_tokens":0}},{"usage":{"input_tokens":10,"cache_creation_input_tokens":6500,"cache_read_input_tokens":0}}]})",
        "UNCONFIRMED"}});
}

TEST(Log, NamesTheLineItRestsOn) {
  Check(
      {{"log",
        R"({"log":["slot update_slots: id 0 | task 9 | n_past = 3000, slot.prompt.tokens.size() = 3100, seq_id = 0, pos_min = 3099, n_swa = 512","forcing full prompt re-processing due to lack of cache data; SWA or hybrid memory"]})",
        "ENGINE_CANNOT_ROLL_BACK"},
       {"log",
        R"({"log":["level=WARN msg=\"truncating input prompt\" limit=2048 prompt=9000 keep=4 new=2048"]})",
        "CONTEXT_TRUNCATED"},
       {"log",
        R"({"log":["srv send_error: request (70000 tokens) exceeds the available context size (3072 tokens), try increasing it"]})",
        "CONTEXT_TOO_SMALL"},
       {"log",
        R"({"log":["slot get_availabl: id 1 | selected slot by LCP similarity, f_sim_best = 0.900 (> 0.100 thold), f_keep = 0.110"]})",
        "EVICTED_BY_SIDE_REQUEST"},
       {"log",
        R"({"log":["slot get_availabl: id 1 | selected slot by LCP similarity, f_sim_best = 0.990 (> 0.100 thold), f_keep = 0.980"]})",
        "UNCONFIRMED"},
       {"log", R"({"log":["WARNING: prefix caching is not supported with speculative decoding, disabling"]})",
        "ENGINE_FEATURE_CONFLICT"},
       {"log", R"({"log":["WARNING: Prefix caching is not supported for hybrid models yet"]})",
        "ENGINE_CANNOT_REUSE"},
       {"log", R"({"log":["cache_reuse is not supported by this context, it will be disabled"]})",
        "ENGINE_CANNOT_REUSE"},
       {"log", R"({"log":["main: server is listening on http://127.0.0.1:8080","all slots are idle"]})",
        "UNCONFIRMED"},
       {"log", R"({"log":[]})", "UNCONFIRMED"}});
}

TEST(Log, ReadsBytesThatAreNoText) {
  const std::string noise("\x00\xff\n n_past = \n f_keep = x\n f_keep", 34);
  EXPECT_EQ(StringAt(DiagnoseLog(noise), "verdict"), "UNCONFIRMED");
}

TEST(ServerFacts, AddressIdentityContextAndFeatures) {
  Check(
      {{"server_facts", R"({"base":"https://h.example/v1/","path":"/v1/messages","status":404})",
        "BASE_URL_DOUBLE_V1"},
       {"server_facts", R"({"url":"http://127.0.0.1:1/v1/v1/chat/completions","status":404})",
        "BASE_URL_DOUBLE_V1"},
       {"server_facts", R"({"base":"http://127.0.0.1:1","path":"/v1/chat/completions","status":404})",
        "UNCONFIRMED"},
       {"server_facts", R"({"base":"http://127.0.0.1:1/v1","path":"/v1/chat/completions","status":200})",
        "UNCONFIRMED"},
       {"server_facts", R"({"health":{"status":"ok","providers":4}})", "TARGET_NOT_LLAMA_SERVER"},
       {"server_facts", R"({"health":{"status":"ok"},"props":{"status":404}})", "TARGET_NOT_LLAMA_SERVER"},
       {"server_facts",
        R"({"health":{"status":"ok","version":"1"},"props":{"total_slots":4,"default_generation_settings":{"n_ctx":1}}})",
        "UNCONFIRMED"},
       {"server_facts", R"({"health":{"status":"ok"}})", "UNCONFIRMED"},
       {"server_facts",
        R"({"probes":[{"method":"GET","path":"/health","status":405},{"method":"POST","path":"/v1/messages","status":200}]})",
        "TARGET_IS_POST_ONLY_PROXY"},
       {"server_facts", R"({"get_status":405,"post_status":200})", "TARGET_IS_POST_ONLY_PROXY"},
       {"server_facts",
        R"({"probes":[{"method":"POST","path":"/health","status":405},{"method":"GET","path":"/health","status":200}]})",
        "UNCONFIRMED"},
       {"server_facts", R"({"n_ctx_total":65536,"total_slots":4,"kv_unified":false,"request_tokens":20000})",
        "CONTEXT_TOO_SMALL"},
       {"server_facts", R"({"n_ctx_total":65536,"total_slots":4,"kv_unified":true,"request_tokens":20000})",
        "UNCONFIRMED"},
       {"server_facts", R"({"n_ctx_total":229376,"total_slots":1,"kv_unified":false,"request_tokens":67000})",
        "UNCONFIRMED"},
       {"server_facts", R"({"backend":"vllm","mtp":true,"repeat_ttft_ratio":1.05})",
        "ENGINE_FEATURE_CONFLICT"},
       {"server_facts", R"({"backend":"vllm","speculative":false,"repeat_ttft_ratio":1.0})", "UNCONFIRMED"},
       {"server_facts", R"({"backend":"vllm","speculative":true,"repeat_ttft_ratio":9.0})", "UNCONFIRMED"}});
}

TEST(Measurement, TrapsAndTheirHealthyTwins) {
  Check(
      {{"trace", R"({"chunks":200,"first_chunk_ms":9000,"last_chunk_ms":9004,"server_predicted_ms":8000})",
        "TTFT_INVALID_BUFFERED"},
       {"trace", R"({"chunks":200,"first_chunk_ms":300,"last_chunk_ms":8300,"server_predicted_ms":8000})",
        "UNCONFIRMED"},
       {"trace",
        R"({"cache_off":[{"cache_n":0,"prompt_n":2300},{"cache_n":900,"prompt_n":1400}],"cache_on":[{"cache_n":2281,"prompt_n":12}]})",
        "CACHE_OFF_ARM_NOT_COLD"},
       {"trace",
        R"({"cache_off":[{"cache_n":0,"prompt_n":2293}],"cache_on":[{"cache_n":1,"prompt_n":2292}]})",
        "MISLABEL_TRIVIAL_REUSE"},
       {"trace",
        R"({"cache_off":[{"cache_n":0,"prompt_n":2293}],"cache_on":[{"cache_n":2281,"prompt_n":12}]})",
        "OK_PARTIAL_HIT"},
       {"trace", R"({"replies":[{"id":"x","created":5,"wall_ms":700},{"id":"x","created":5,"wall_ms":3}]})",
        "RESPONSE_CACHE_REPLAY"},
       {"trace",
        R"({"replies":[{"id":"x","created":5,"wall_ms":700},{"id":"y","created":6,"wall_ms":3}],"headers":{"X-OpenRouter-Cache-Status":"HIT"}})",
        "RESPONSE_CACHE_REPLAY"},
       {"trace",
        R"({"replies":[{"id":"x","created":5,"wall_ms":700},{"id":"y","created":6,"wall_ms":90}],"headers":{"Cache-Control":"no-store"}})",
        "UNCONFIRMED"},
       {"trace", R"({"gauge":0.9,"delta":{"queries":1000,"hits":100}})", "USE_DELTA"},
       {"trace", R"({"gauge":0.9,"delta":{"queries":0,"hits":0}})", "UNCONFIRMED"}});
}

TEST(Equivalence, IsJudgedByTheEquivalenceRoom) {
  Check(
      {{"equivalence", R"({"cold":[1,2,3],"cold2":[1,2,3],"warm":[1,2,3]})", "OK_EXACT"},
       {"equivalence", R"({"cold":[1,2],"cold2":[1,9],"warm":[1,2]})", "INCONCLUSIVE_NONDETERMINISTIC"},
       {"equivalence",
        R"({"cold":[1,2,3],"warm":[1,9,9],"diverged_at":1,"cold_top2_margin_nats":4.5,"cold_vs_cold_identical":true,"warm_vs_warm_identical":true})",
        "DIVERGED_DEFECT"}});
}

TEST(ReplyText, ReadsStreamsAndLists) {
  const auto stream = DiagnoseReplyText(
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"usage\":{\"input_"
      "tokens\":3,\"cache_read_input_tokens\":900,\"cache_creation_input_tokens\":0,\"output_tokens\":1}}}"
      "\n\nevent: message_delta\ndata: "
      "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}"
      "\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
  ASSERT_TRUE(stream) << stream.error().Text();
  EXPECT_EQ(StringAt(*stream, "verdict"), "OK_PARTIAL_HIT");
  EXPECT_FALSE(DiagnoseReplyText("neither json nor a stream"));
}

}  // namespace
}  // namespace helix::consistency
