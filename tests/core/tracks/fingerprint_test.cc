#include "core/tracks/fingerprint.h"

#include <gtest/gtest.h>

#include "core/base/json_fields.h"

namespace helix::tracks {
namespace {

Target Server() {
  Target target;
  target.identity.kind = "llama-server";
  target.identity.build = "b1";
  target.identity.model_id = "m.gguf";
  target.identity.slots = 1;
  target.identity.context_per_slot = 4096;
  target.identity.facts = {{"template_sha256", "t1"}, {"model_meta", {{"n_params", 7}, {"size", 9}}}};
  return target;
}

Json Compared(const Target& now) {
  const Json report{{"fingerprint", FingerprintOf(Server(), {"p1"})}};
  return CompareFingerprint(report, now);
}

TEST(Fingerprint, IsTheSameForTheSameServerAndPrefixesInAnyOrder) {
  EXPECT_EQ(FingerprintOf(Server(), {"p1", "p2"}), FingerprintOf(Server(), {"p2", "p1", "p1"}));
  EXPECT_NE(FingerprintOf(Server(), {"p1"})["sha256"], FingerprintOf(Server(), {"p2"})["sha256"]);
  EXPECT_EQ(StringAt(Compared(Server()), "state"), "current");
}

TEST(Fingerprint, ChangesWithEachPartAndNamesIt) {
  auto other = Server();
  other.identity.model_id = "n.gguf";
  EXPECT_EQ(Compared(other)["differs"], Json::array({"model"}));
  other = Server();
  other.identity.facts["model_meta"]["size"] = 10;
  EXPECT_EQ(Compared(other)["differs"], Json::array({"model"})) << "the same name and other weights";
  other = Server();
  other.identity.facts["template_sha256"] = "t2";
  EXPECT_EQ(Compared(other)["differs"], Json::array({"template"}));
  for (int change = 0; change < 4; ++change) {
    other = Server();
    if (change == 0) other.identity.build = "b2";
    if (change == 1) other.identity.slots = 2;
    if (change == 2) other.identity.context_per_slot = 8192;
    if (change == 3) other.identity.facts["sampler_defaults"] = {{"top_k", 3}};
    EXPECT_EQ(Compared(other)["differs"], Json::array({"flags"})) << change;
    EXPECT_EQ(StringAt(Compared(other), "state"), "stale");
  }
}

TEST(Fingerprint, TheCommandLineAndTheWeightsOfAServerOfOursCountInTheWhole) {
  auto flags = Server();
  flags.flags = {{"argv", {"-fa", "on"}}};
  EXPECT_NE(FingerprintOf(flags, {})["sha256"], FingerprintOf(Server(), {})["sha256"]);
  auto weights = Server();
  weights.weights_sha256 = "aa";
  EXPECT_NE(FingerprintOf(weights, {})["sha256"], FingerprintOf(Server(), {})["sha256"]);
}

TEST(Fingerprint, AReportWithoutOneIsNotCalledCurrent) {
  EXPECT_EQ(StringAt(CompareFingerprint(Json::object(), Server()), "state"), "not_checkable");
}

}  // namespace
}  // namespace helix::tracks
