// helix-make-model: writes a synthetic model and prints the path of its file.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "core/base/file.h"
#include "core/model/demo_model.h"
#include "core/model/synthetic_model.h"

namespace {

constexpr int kInputError = 2;

helix::Result<std::string> Write(const helix::model::ModelShape& shape, const std::string& out) {
  if (out.empty()) return helix::model::SyntheticModelPath(shape, helix::ProcessEnvironment());
  auto bytes = helix::model::SyntheticModelBytes(shape);
  if (!bytes) return bytes;
  HELIX_TRY(helix::WriteFileAtomic(out, *bytes, 0644));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  helix::model::ModelShape shape;
  std::string out;
  bool raw_bytes = false;
  CLI::App app(
      "Writes a llama-architecture GGUF model with random weights from a seed and a byte vocabulary.");
  app.add_option("--layers", shape.layers, "Number of layers")->capture_default_str();
  app.add_option("--width", shape.width, "Embedding length")->capture_default_str();
  app.add_option("--feed-forward", shape.feed_forward, "Feed-forward length")->capture_default_str();
  app.add_option("--heads", shape.heads, "Attention heads")->capture_default_str();
  app.add_option("--kv-heads", shape.kv_heads, "Key and value heads")->capture_default_str();
  app.add_option("--context", shape.context, "Context length in tokens")->capture_default_str();
  app.add_option("--seed", shape.seed, "Seed of the weights")->capture_default_str();
  app.add_flag("--all-bytes", raw_bytes, "Let the model answer with any byte, not printable ASCII only");
  app.add_option("--out", out, "File to write; default: a file in the cache folder, named after the shape");
  CLI11_PARSE(app, argc, argv);
  shape.ascii_output = !raw_bytes;
  auto path = Write(shape, out);
  if (!path) {
    std::fprintf(stderr, "error: %s\n", path.error().Text().c_str());
    return kInputError;
  }
  std::printf("%s\n", path->c_str());
  return 0;
}
