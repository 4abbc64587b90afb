// A small transformer for tests: deterministic fp32, seeded random weights, RMSNorm, rotary positions, a KV
// cache of explicit cells. It is a fake of a model server's insides and says nothing about any real model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace helix::fakes {

using backend::TokenId;

inline constexpr int kToyVocabulary = 64;
inline constexpr int kToyWidth = 32;
inline constexpr int kToyLayers = 2;

// One token's keys and values in every layer, keys already rotated to `position`.
struct KvCell {
  int position = 0;
  std::vector<float> k;  // layers x width
  std::vector<float> v;
};

using KvCache = std::vector<KvCell>;

// How sums are split. Real kernels choose it by batch shape and thread count; the result differs in the last
// bits.
struct Kernel {
  int partial_sums = 4;  // of a dot product: 4 or 8
  int threads = 1;       // over which attention splits its keys
};

// A saved slot: the number of cells, then their bytes. Reading one that was cut short fills up with zeros, as
// a server without a checksum does.
std::string SaveCells(const KvCache& cells);
KvCache RestoreCells(const std::string& bytes);

class ToyModel {
 public:
  explicit ToyModel(std::uint64_t seed);

  // Computes `token` at `position` against `cache` and its own cell, which is appended. Returns the logits.
  std::vector<float> Step(TokenId token, int position, KvCache& cache, Kernel kernel) const;

  // Turns the keys of `cell` by `offset` positions, leaving its label alone.
  static void RotateKeys(KvCell& cell, int offset);

 private:
  struct Layer {
    std::vector<float> wq, wk, wv, wo, up, down;
  };
  std::vector<float> embedding_;
  std::vector<float> head_;
  std::vector<Layer> layers_;
};

}  // namespace helix::fakes
