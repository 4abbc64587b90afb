// A llama-architecture model with random weights and a byte vocabulary: real speed mechanics, no language.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace helix::model {

// Metadata key (bool) that marks a file as written by this project.
inline constexpr char kSyntheticKey[] = "helix.synthetic_weights";
// Token ids: unknown, begin, end, then one per byte value: text of n bytes is n tokens, begin not counted.
inline constexpr int kBosId = 1;
inline constexpr int kEosId = 2;
inline constexpr int kFirstByteId = 3;
inline constexpr int kVocabSize = 259;

// The bytes of the GGUF file: the same for the same shape, on every machine.
Result<std::string> SyntheticModelBytes(const ModelShape& shape);

}  // namespace helix::model
