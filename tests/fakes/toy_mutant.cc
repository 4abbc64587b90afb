#include "tests/fakes/toy_mutant.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace helix::fakes {
namespace {

void Overwrite(std::vector<float>& row, SplitMix64& random) {
  for (float& x : row) x = static_cast<float>(random.Unit() * 2 - 1);
}

// As q4_0 does it: one scale per row of 32, sixteen levels.
void RoundToFourBits(std::vector<float>& row) {
  for (std::size_t start = 0; start < row.size(); start += kToyWidth) {
    float largest = 0;
    for (int i = 0; i < kToyWidth; ++i) largest = std::max(largest, std::abs(row[start + i]));
    const float step = largest / 7;
    if (step == 0) continue;
    for (int i = 0; i < kToyWidth; ++i) row[start + i] = std::round(row[start + i] / step) * step;
  }
}

KvCache Compute(std::uint64_t seed, const std::vector<TokenId>& tokens) {
  const ToyModel model(seed);
  KvCache cells;
  for (std::size_t i = 0; i < tokens.size(); ++i) model.Step(tokens[i], static_cast<int>(i), cells, {});
  return cells;
}

std::vector<TokenId> OtherConversation(std::uint64_t seed, std::size_t length) {
  SplitMix64 random(seed + 77);
  std::vector<TokenId> tokens(length);
  for (TokenId& token : tokens) token = static_cast<TokenId>(random.Below(kToyVocabulary));
  return tokens;
}

void Tear(KvCache& cells) {
  const std::string saved = SaveCells(cells);
  cells = RestoreCells(saved.substr(0, saved.size() - saved.size() / 16));
}

}  // namespace

const std::vector<ToyMutant>& AllToyMutants() {
  static const std::vector<ToyMutant> all = {
      ToyMutant::kCorruptedRow,     ToyMutant::kFlippedBit,      ToyMutant::kStalePrefix,
      ToyMutant::kWrongSlot,        ToyMutant::kOneTooMany,      ToyMutant::kOneTwice,
      ToyMutant::kShiftedPositions, ToyMutant::kSwappedTemplate, ToyMutant::kSwappedWeights,
      ToyMutant::kQuantisedCache,   ToyMutant::kTornRestore,     ToyMutant::kPhantomHit,
      ToyMutant::kCarriedSampler,   ToyMutant::kReusedLogits};
  return all;
}

const char* ToyMutantName(ToyMutant mutant) {
  switch (mutant) {
    case ToyMutant::kNone:
      return "none";
    case ToyMutant::kCorruptedRow:
      return "M1 corrupted KV row";
    case ToyMutant::kFlippedBit:
      return "M1 one bit flipped";
    case ToyMutant::kStalePrefix:
      return "M2 stale prefix";
    case ToyMutant::kWrongSlot:
      return "M3 wrong slot";
    case ToyMutant::kOneTooMany:
      return "M4 one token too many reused";
    case ToyMutant::kOneTwice:
      return "M4 one token twice in the cache";
    case ToyMutant::kShiftedPositions:
      return "M5 shifted positions";
    case ToyMutant::kSwappedTemplate:
      return "M6 swapped template";
    case ToyMutant::kSwappedWeights:
      return "M7 swapped weights";
    case ToyMutant::kQuantisedCache:
      return "M8 cache rounded to 4 bits";
    case ToyMutant::kTornRestore:
      return "M9 torn restore";
    case ToyMutant::kPhantomHit:
      return "M10 phantom hit after eviction";
    case ToyMutant::kCarriedSampler:
      return "M11 carried sampler state";
    case ToyMutant::kReusedLogits:
      return "M12 reused logits";
  }
  return "none";
}

void MutateCells(ToyMutant mutant, std::uint64_t seed, const std::vector<TokenId>& tokens, KvCache& cells) {
  if (cells.empty()) return;
  SplitMix64 random(seed);
  switch (mutant) {
    case ToyMutant::kCorruptedRow: {
      KvCell& cell = cells[random.Below(cells.size())];
      Overwrite(cell.k, random);
      Overwrite(cell.v, random);
      return;
    }
    case ToyMutant::kFlippedBit: {
      float& value = cells[random.Below(cells.size())].v[random.Below(kToyWidth)];
      value = -value;
      return;
    }
    case ToyMutant::kWrongSlot:
      cells = Compute(seed, OtherConversation(seed, cells.size()));
      return;
    case ToyMutant::kShiftedPositions:
      for (KvCell& cell : cells) ToyModel::RotateKeys(cell, 1);
      return;
    case ToyMutant::kSwappedWeights:
      cells = Compute(seed + 1,
                      std::vector<TokenId>(tokens.begin(), tokens.begin() + static_cast<long>(cells.size())));
      return;
    case ToyMutant::kQuantisedCache:
      for (KvCell& cell : cells) {
        RoundToFourBits(cell.k);
        RoundToFourBits(cell.v);
      }
      return;
    case ToyMutant::kTornRestore:
      Tear(cells);
      return;
    case ToyMutant::kPhantomHit:
      cells.clear();
      return;
    default:
      return;
  }
}

}  // namespace helix::fakes
