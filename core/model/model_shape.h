// The size of a synthetic llama-architecture model.
#pragma once
#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace helix::model {

// Part of the name of every synthetic model: of its file, its general.name and the id that a server reports.
inline constexpr char kSyntheticMark[] = "synthetic-weights";

struct ModelShape {
  int layers = 2;
  int width = 256;
  int feed_forward = 704;
  int heads = 8;
  int kv_heads = 4;
  int context = 32768;  // tokens; a claim in the metadata, it costs nothing in the file
  std::uint64_t seed = 1;
  // Output rows are zero for every token that is not printable ASCII, so greedy text is one character per
  // token and no id is lost in a stream.
  bool ascii_output = true;

  // "helix-synthetic-weights-l2-d256-f704-h8-kv4-c32768-s1-ascii-v1": the same name means the same bytes.
  [[nodiscard]] std::string Name() const;
};

// kInvalidArgument when the numbers do not make a model: width a multiple of 32 and of heads, heads of
// kv_heads, an even head size, and no more than 2 GiB of weights.
Status CheckShape(const ModelShape& shape);

// Whether a model's name (a path, a file name or an id) bears the mark; the folders of a path do not count.
bool IsSyntheticName(const std::string& name);

}  // namespace helix::model
