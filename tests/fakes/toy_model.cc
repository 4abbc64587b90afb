#include "tests/fakes/toy_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/random.h"

namespace helix::fakes {
namespace {

constexpr int kHeads = 4;
constexpr int kHeadWidth = kToyWidth / kHeads;
constexpr int kFeedForward = 64;

using Floats = std::vector<float>;

Floats RandomMatrix(SplitMix64& random, int rows, int columns, double scale) {
  Floats out(static_cast<std::size_t>(rows) * columns);
  // A sum of four uniforms is close enough to a normal deviate and the same on every platform.
  for (float& x : out) {
    const double sum = random.Unit() + random.Unit() + random.Unit() + random.Unit() - 2;
    x = static_cast<float>(sum * std::sqrt(3.0) * scale);
  }
  return out;
}

template <int kSplit>
float SplitDot(const float* a, const float* b, int n) {
  float partial[kSplit] = {};
  for (int i = 0; i < n; i += kSplit) {
    for (int s = 0; s < kSplit; ++s) partial[s] += a[i + s] * b[i + s];
  }
  float sum = 0;
  for (int s = 0; s < kSplit; ++s) sum += partial[s];
  return sum;
}

float Dot(const float* a, const float* b, int n, const Kernel& kernel) {
  return kernel.partial_sums == 8 ? SplitDot<8>(a, b, n) : SplitDot<4>(a, b, n);
}

Floats MatVec(const Floats& matrix, const Floats& x, const Kernel& kernel) {
  const int columns = static_cast<int>(x.size());
  Floats out(matrix.size() / x.size());
  for (std::size_t row = 0; row < out.size(); ++row)
    out[row] = Dot(&matrix[row * columns], x.data(), columns, kernel);
  return out;
}

Floats Norm(const Floats& x) {
  float squares = 0;
  for (const float value : x) squares += value * value;
  const float scale = 1 / std::sqrt(squares / static_cast<float>(x.size()) + 1e-6F);
  Floats out = x;
  for (float& value : out) value *= scale;
  return out;
}

void Rotate(float* row, int position) {
  for (int head = 0; head < kHeads; ++head) {
    for (int i = 0; i < kHeadWidth; i += 2) {
      const double angle = position * std::pow(10000.0, -static_cast<double>(i) / kHeadWidth);
      const auto c = static_cast<float>(std::cos(angle));
      const auto s = static_cast<float>(std::sin(angle));
      float& x = row[head * kHeadWidth + i];
      float& y = row[head * kHeadWidth + i + 1];
      const float turned = x * c - y * s;
      y = x * s + y * c;
      x = turned;
    }
  }
}

void Add(Floats& x, const Floats& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

// One head over all cells; each thread sums its share of the keys, the shares are added at the end.
void AttendHead(const float* q, const KvCache& cache, std::size_t offset, const Kernel& kernel, float* out) {
  const std::size_t n = cache.size();
  Floats weights(n);
  float highest = -1e30F;
  for (std::size_t j = 0; j < n; ++j) {
    weights[j] = Dot(q, &cache[j].k[offset], kHeadWidth, kernel) / std::sqrt(static_cast<float>(kHeadWidth));
    highest = std::max(highest, weights[j]);
  }
  const auto threads = static_cast<std::size_t>(kernel.threads);
  float total = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    float share = 0;
    float values[kHeadWidth] = {};
    for (std::size_t j = n * t / threads; j < n * (t + 1) / threads; ++j) {
      const float weight = std::exp(weights[j] - highest);
      share += weight;
      for (int i = 0; i < kHeadWidth; ++i) values[i] += weight * cache[j].v[offset + i];
    }
    total += share;
    for (int i = 0; i < kHeadWidth; ++i) out[i] += values[i];
  }
  for (int i = 0; i < kHeadWidth; ++i) out[i] /= total;
}

Floats Attend(const Floats& q, const KvCache& cache, int layer, const Kernel& kernel) {
  Floats out(kToyWidth, 0.0F);
  for (int head = 0; head < kHeads; ++head) {
    const int at = head * kHeadWidth;
    AttendHead(&q[at], cache, static_cast<std::size_t>(layer) * kToyWidth + at, kernel, &out[at]);
  }
  return out;
}

}  // namespace

std::string SaveCells(const KvCache& cells) {
  const auto count = static_cast<std::uint32_t>(cells.size());
  std::string out(reinterpret_cast<const char*>(&count), sizeof count);
  for (const KvCell& cell : cells) {
    out.append(reinterpret_cast<const char*>(&cell.position), sizeof cell.position);
    out.append(reinterpret_cast<const char*>(cell.k.data()), cell.k.size() * sizeof(float));
    out.append(reinterpret_cast<const char*>(cell.v.data()), cell.v.size() * sizeof(float));
  }
  return out;
}

KvCache RestoreCells(const std::string& bytes) {
  std::size_t at = 0;
  const auto read = [&](void* to, std::size_t size) {
    const std::size_t there = at < bytes.size() ? std::min(size, bytes.size() - at) : 0;
    std::memset(to, 0, size);
    if (there > 0) std::memcpy(to, bytes.data() + at, there);
    at += size;
  };
  std::uint32_t count = 0;
  read(&count, sizeof count);
  KvCache cells(count);
  for (KvCell& cell : cells) {
    cell.k.resize(kToyLayers * kToyWidth);
    cell.v.resize(kToyLayers * kToyWidth);
    read(&cell.position, sizeof cell.position);
    read(cell.k.data(), cell.k.size() * sizeof(float));
    read(cell.v.data(), cell.v.size() * sizeof(float));
  }
  return cells;
}

ToyModel::ToyModel(std::uint64_t seed) {
  SplitMix64 random(seed);
  const double scale = 1 / std::sqrt(static_cast<double>(kToyWidth));
  embedding_ = RandomMatrix(random, kToyVocabulary, kToyWidth, 1);
  head_ = RandomMatrix(random, kToyVocabulary, kToyWidth, 2 * scale);
  for (int i = 0; i < kToyLayers; ++i) {
    Layer layer;
    layer.wq = RandomMatrix(random, kToyWidth, kToyWidth, 1.5 * scale);
    layer.wk = RandomMatrix(random, kToyWidth, kToyWidth, 1.5 * scale);
    layer.wv = RandomMatrix(random, kToyWidth, kToyWidth, 2 * scale);
    layer.wo = RandomMatrix(random, kToyWidth, kToyWidth, 2 * scale);
    layer.up = RandomMatrix(random, kFeedForward, kToyWidth, scale);
    layer.down = RandomMatrix(random, kToyWidth, kFeedForward, scale);
    layers_.push_back(std::move(layer));
  }
}

std::vector<float> ToyModel::Step(TokenId token, int position, KvCache& cache, Kernel kernel) const {
  Floats x(embedding_.begin() + token * kToyWidth, embedding_.begin() + (token + 1) * kToyWidth);
  cache.push_back({position, Floats(kToyLayers * kToyWidth), Floats(kToyLayers * kToyWidth)});
  for (int i = 0; i < kToyLayers; ++i) {
    const Layer& layer = layers_[i];
    const Floats normed = Norm(x);
    Floats q = MatVec(layer.wq, normed, kernel);
    Floats k = MatVec(layer.wk, normed, kernel);
    const Floats v = MatVec(layer.wv, normed, kernel);
    Rotate(q.data(), position);
    Rotate(k.data(), position);
    std::copy(k.begin(), k.end(), cache.back().k.begin() + i * kToyWidth);
    std::copy(v.begin(), v.end(), cache.back().v.begin() + i * kToyWidth);
    Add(x, MatVec(layer.wo, Attend(q, cache, i, kernel), kernel));
    Floats hidden = MatVec(layer.up, Norm(x), kernel);
    for (float& value : hidden) value /= 1 + std::exp(-value);
    Add(x, MatVec(layer.down, hidden, kernel));
  }
  return MatVec(head_, Norm(x), kernel);
}

void ToyModel::RotateKeys(KvCell& cell, int offset) {
  for (int i = 0; i < kToyLayers; ++i) Rotate(&cell.k[static_cast<std::size_t>(i) * kToyWidth], offset);
}

}  // namespace helix::fakes
