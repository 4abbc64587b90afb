#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/base/file.h"
#include "core/model/demo_model.h"
#include "core/model/gguf_info.h"
#include "core/model/half.h"
#include "core/model/synthetic_model.h"
#include "tests/support/paths.h"

namespace helix::model {
namespace {

using testing_support::ScratchDir;

ModelShape Tiny() {
  ModelShape shape;
  shape.layers = 1;
  shape.width = 32;
  shape.feed_forward = 32;
  shape.heads = 2;
  shape.kv_heads = 1;
  return shape;
}

EnvReader CacheIn(const std::string& folder) {
  return [folder](const std::string& name) -> std::optional<std::string> {
    if (name == "XDG_CACHE_HOME") return folder;
    return std::nullopt;
  };
}

double FloatFromHalf(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const double mantissa = half & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, KnowsTheStandardsValues) {
  for (const auto& [value, bits] : std::vector<std::pair<float, int>>{{0.0F, 0x0000},
                                                                      {-0.0F, 0x8000},
                                                                      {1.0F, 0x3C00},
                                                                      {-2.0F, 0xC000},
                                                                      {65504.0F, 0x7BFF},
                                                                      {65520.0F, 0x7C00},
                                                                      {0x1p-14F, 0x0400},
                                                                      {0x1p-24F, 0x0001},
                                                                      {0x1p-25F, 0x0000},
                                                                      {0x1.8p-25F, 0x0001},
                                                                      {1e30F, 0x7C00},
                                                                      {1.0F + 0x1p-11F, 0x3C00},
                                                                      {1.0F + 0x1.8p-10F, 0x3C02},
                                                                      {NAN, 0x7E00}}) {
    EXPECT_EQ(HalfFromFloat(value), bits) << value;
  }
}

TEST(Half, GivesBackEveryFiniteHalf) {
  for (int bits = 0; bits < 0x7C00; ++bits) {
    ASSERT_EQ(HalfFromFloat(static_cast<float>(FloatFromHalf(static_cast<std::uint16_t>(bits)))), bits);
  }
}

TEST(SyntheticModel, IsTheSameBytesForTheSameSeedOnly) {
  auto first = SyntheticModelBytes(Tiny());
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, *SyntheticModelBytes(Tiny()));
  ModelShape other = Tiny();
  other.seed = 2;
  EXPECT_NE(*first, *SyntheticModelBytes(other));
}

std::uint64_t Fnv1a(const std::string& bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// Written down so that another compiler or processor cannot make another model under the same name. Whoever
// changes the writer raises kWriterVersion in model_shape.cc with it.
TEST(SyntheticModel, TheDemoModelIsTheSameEverywhere) {
  EXPECT_EQ(ModelShape().Name(), "helix-synthetic-weights-l2-d256-f704-h8-kv4-c32768-s1-ascii-v1");
  const std::string bytes = *SyntheticModelBytes({});
  EXPECT_EQ(bytes.size(), 3228320U);
  EXPECT_EQ(Fnv1a(bytes), 7253923498960062595U);
}

TEST(SyntheticModel, StartsAsGgufThreeAndHoldsAllTensors) {
  const std::string bytes = *SyntheticModelBytes(Tiny());
  EXPECT_EQ(bytes.substr(0, 16), std::string("GGUF\x03\0\0\0\x0C\0\0\0\0\0\0\0", 16)) << "12 tensors";
  EXPECT_EQ(bytes.size() % 32, 0U);
}

TEST(SyntheticModel, ZeroesTheOutputRowsThatAreNotPrintable) {
  const ModelShape shape = Tiny();
  const std::string bytes = *SyntheticModelBytes(shape);
  const std::size_t row = std::size_t{2} * shape.width;
  const std::size_t output = bytes.size() - (row * kVocabSize + 31) / 32 * 32;  // the last tensor
  for (int token = 0; token < kVocabSize; ++token) {
    const bool zero = bytes.substr(output + token * row, row) == std::string(row, '\0');
    EXPECT_EQ(!zero, token >= kFirstByteId + ' ' && token <= kFirstByteId + '~') << token;
  }
}

TEST(SyntheticModel, RefusesShapesThatAreNotAModel) {
  for (auto change : std::vector<void (*)(ModelShape&)>{
           [](ModelShape& s) { s.layers = 0; }, [](ModelShape& s) { s.width = 33; },
           [](ModelShape& s) { s.heads = 3; }, [](ModelShape& s) { s.kv_heads = 4; },
           [](ModelShape& s) { s.heads = 32; },
           [](ModelShape& s) {
             s.layers = 1000;
             s.width = 8192;
           },
           [](ModelShape& s) { s.context = -1; }}) {
    ModelShape shape = Tiny();
    change(shape);
    EXPECT_FALSE(SyntheticModelBytes(shape)) << shape.Name();
  }
}

TEST(IsSyntheticName, LooksAtTheFileName) {
  EXPECT_TRUE(IsSyntheticName(ModelShape().Name()));
  EXPECT_TRUE(IsSyntheticName("/a/b/helix-synthetic-weights-x.gguf"));
  EXPECT_FALSE(IsSyntheticName("/helix-synthetic-weights-x/llama.gguf"));
  EXPECT_FALSE(IsSyntheticName(""));
}

TEST(DemoModelPath, WritesOnceAndRepairsADamagedFile) {
  const EnvReader env = CacheIn(ScratchDir());
  auto path = SyntheticModelPath(Tiny(), env);
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_TRUE(ReadGgufInfo(*path)->synthetic_weights);
  const std::string good = *ReadFile(*path);
  ASSERT_TRUE(WriteFileAtomic(*path, good.substr(0, 100)));
  EXPECT_EQ(*SyntheticModelPath(Tiny(), env), *path);
  EXPECT_EQ(*ReadFile(*path), good);
}

TEST(ReadGgufInfo, ReadsNameAndMark) {
  const std::string path = ScratchDir() + "/m.gguf";
  ASSERT_TRUE(WriteFileAtomic(path, *SyntheticModelBytes(Tiny())));
  auto info = ReadGgufInfo(path);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->name, Tiny().Name());
  EXPECT_EQ(info->architecture, "llama");
}

TEST(ReadGgufInfo, EveryCutOfTheMetadataIsAnError) {
  const std::string folder = ScratchDir();
  const std::string bytes = *SyntheticModelBytes(Tiny());
  for (std::size_t size = 0; size < 1200; size += 7) {
    std::ofstream(folder + "/cut", std::ios::binary) << bytes.substr(0, size);
    ASSERT_FALSE(ReadGgufInfo(folder + "/cut")) << size;
  }
  EXPECT_FALSE(ReadGgufInfo(folder + "/missing"));
}

TEST(ReadGgufInfo, RefusesAbsurdSizes) {
  const std::string path = ScratchDir() + "/m.gguf";
  std::string bytes = *SyntheticModelBytes(Tiny());
  bytes.replace(24, 8, std::string(8, '\x7F'));  // the length of the first key
  ASSERT_TRUE(WriteFileAtomic(path, bytes));
  EXPECT_EQ(ReadGgufInfo(path).error().code, ErrorCode::kParse);
}

}  // namespace
}  // namespace helix::model
