#include "core/backend/llama_flags.h"

#include <gtest/gtest.h>

namespace helix::backend {
namespace {

constexpr char kHelp[] =
    "-c,    --ctx-size N\n-np,   --parallel N\n-t,    --threads N\n-fa,   --flash-attn [on|off|auto]\n"
    "-ub,   --ubatch-size N\n-ctk,  --cache-type-k TYPE\n-ctv,  --cache-type-v TYPE\n-cram, --cache-ram N\n"
    "--cache-reuse N\n-sps,  --slot-prompt-similarity SIMILARITY\n--context-shift, "
    "--no-context-shift\n--metrics\n";

using Strings = std::vector<std::string>;

TEST(LlamaFlags, AreTheOnesThatAMeasurementNeeds) {
  Strings left_out;
  EXPECT_EQ(LlamaFlags({}, kHelp, &left_out),
            (Strings{"-c", "4096", "-np", "1", "-t", "1", "-fa", "off", "--cache-ram", "0", "--cache-reuse",
                     "0", "-sps", "0", "--no-context-shift", "--metrics"}));
  EXPECT_TRUE(left_out.empty());
}

TEST(LlamaFlags, EachCanBeChangedTheUsersOwnWinOverOursAndAControlsBatchOverTheirs) {
  ManagedServerFlags flags;
  flags.context = 1000;
  flags.slots = 2;
  flags.threads = 4;
  flags.ubatch = 64;
  flags.flash_attention = "on";
  flags.cache_type_k = flags.cache_type_v = "q8_0";
  flags.prompt_cache_mib = 16;
  flags.extra = {"-b", "128"};
  Strings left_out;
  EXPECT_EQ(LlamaFlags(flags, kHelp, &left_out), (Strings{"-c",
                                                          "2000",
                                                          "-np",
                                                          "2",
                                                          "-t",
                                                          "4",
                                                          "-fa",
                                                          "on",
                                                          "-ctk",
                                                          "q8_0",
                                                          "-ctv",
                                                          "q8_0",
                                                          "--cache-ram",
                                                          "16",
                                                          "--cache-reuse",
                                                          "0",
                                                          "-sps",
                                                          "0",
                                                          "--no-context-shift",
                                                          "--metrics",
                                                          "-b",
                                                          "128",
                                                          "-ub",
                                                          "64"}));
}

TEST(LlamaFlags, LeaveOutAndNameWhatAnOlderBuildDoesNotKnow) {
  Strings left_out;
  const Strings flags =
      LlamaFlags({}, "-c, --ctx-size N\n-np, --parallel N\n-t, --threads N\n-fa, --flash-attn\n", &left_out);
  EXPECT_EQ(flags, (Strings{"-c", "4096", "-np", "1", "-t", "1"}));
  EXPECT_EQ(left_out, (Strings{"--cache-ram", "--cache-reuse", "-sps", "--no-context-shift", "--metrics"}));
}

TEST(LlamaFlags, AMicroBatchBeyondTheDefaultBatchWidensTheBatch) {
  Strings left_out;
  ManagedServerFlags flags;
  flags.ubatch = 2049;
  const Strings made = LlamaFlags(flags, std::string(kHelp) + "-b,    --batch-size N\n", &left_out);
  EXPECT_EQ((Strings{made.end() - 4, made.end()}), (Strings{"-ub", "2049", "-b", "2049"}));
}

TEST(LlamaFlags, TheStartIsLoggedWhereTheBuildNeedsAFlagForIt) {
  Strings left_out;
  ManagedServerFlags flags;
  flags.log_startup = true;
  const std::string help = std::string(kHelp) + "-lv,   --verbosity N\n - 3: info\n - 4: trace (more info)\n";
  const Strings made = LlamaFlags(flags, help, &left_out);
  EXPECT_EQ((Strings{made.end() - 2, made.end()}), (Strings{"-lv", "4"}));
  EXPECT_EQ(LlamaFlags(flags, kHelp, &left_out).back(), "--metrics") << "older builds log it as they are";
}

TEST(LlamaFlags, AFlagIsFoundAsAWholeWordOnly) {
  EXPECT_TRUE(HelpHasFlag("-fa, --flash-attn", "-fa"));
  EXPECT_FALSE(HelpHasFlag("--cache-reuse-min N", "--cache-reuse"));
  EXPECT_FALSE(HelpHasFlag("--no-metrics", "-metrics"));
  EXPECT_FALSE(HelpHasFlag("", "-c"));
}

}  // namespace
}  // namespace helix::backend
