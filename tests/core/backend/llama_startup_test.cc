#include "core/backend/llama_startup.h"

#include <gtest/gtest.h>

namespace helix::backend {
namespace {

// Lines of b11669-Debian at verbosity 4.
constexpr char kLog[] =
    "0.00.062.866 I llama_context: n_ctx                 = 4096\n"
    "0.00.062.869 I llama_context: n_batch               = 2048\n"
    "0.00.062.869 I llama_context: n_ubatch              = 512\n"
    "0.00.062.870 I llama_context: flash_attn            = disabled\n"
    "0.00.087.082 I llama_kv_cache: size =    4.00 MiB (  4096 cells,   2 layers,  1/1 seqs), K (q8_0):    "
    "2.00 MiB, V (f16):    2.00 MiB\n";

TEST(LlamaStartup, ReadsWhatTheServerSaysOfItsContext) {
  const LlamaStartup read = ReadLlamaStartup(kLog);
  EXPECT_EQ(read.batch, 2048);
  EXPECT_EQ(read.ubatch, 512);
  EXPECT_EQ(read.flash_attention, "disabled");
  EXPECT_EQ(read.cache_type_k, "q8_0");
  EXPECT_EQ(read.cache_type_v, "f16");
}

TEST(LlamaStartup, ReadsOlderLogsWithoutATimestamp) {
  EXPECT_EQ(ReadLlamaStartup("llama_context: n_ubatch = 64\r\n").ubatch, 64);
}

TEST(LlamaStartup, LeavesAbsentWhatIsNotLogged) {
  const LlamaStartup read =
      ReadLlamaStartup("main: n_ubatch = 7\nllama_context: n_ubatch\nllama_context: n_batch = x\n");
  EXPECT_FALSE(read.batch);
  EXPECT_FALSE(read.ubatch);
  EXPECT_TRUE(ToJson(read)["ubatch"].is_null());
  EXPECT_TRUE(ToJson(read)["cache_type_k"].is_null());
  EXPECT_FALSE(ReadLlamaStartup("").ubatch);
}

}  // namespace
}  // namespace helix::backend
