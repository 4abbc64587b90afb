#include "core/model/synthetic_model.h"

#include <bit>
#include <cmath>

#include "core/base/random.h"
#include "core/model/chat_template.h"
#include "core/model/gguf_writer.h"
#include "core/model/half.h"

namespace helix::model {
namespace {

enum TokenType : std::int32_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kByte = 6
};  // llama.h, enum llama_token_type

bool IsPrintableAscii(int token) {
  return token >= kFirstByteId + 0x20 && token < kFirstByteId + 0x7F;
}

void PutHalf(std::string& out, float value) {
  const std::uint16_t half = HalfFromFloat(value);
  out += static_cast<char>(half & 0xFF);
  out += static_cast<char>(half >> 8);
}

class Weights {
 public:
  explicit Weights(const ModelShape& shape) : shape_(shape), random_(shape.seed) {}
  void WriteTo(GgufWriter& out);

 private:
  // Uniform with the variance gain^2 / columns, which keeps activations near 1.
  std::string Matrix(int columns, int rows, double gain);
  std::string OutputRows();
  static std::string Ones(int count);
  void Layer(GgufWriter& out, int index);

  const ModelShape& shape_;
  SplitMix64 random_;
};

std::string Weights::Matrix(int columns, int rows, double gain) {
  const double bound = gain * std::sqrt(3.0 / columns);
  std::string out;
  out.reserve(std::size_t{2} * columns * rows);
  for (std::int64_t i = 0; i < std::int64_t{columns} * rows; ++i) {
    PutHalf(out, static_cast<float>((2.0 * random_.Unit() - 1.0) * bound));
  }
  return out;
}

std::string Weights::OutputRows() {
  // Logits of standard deviation 3: a greedy answer that follows the prompt instead of hanging on one token.
  std::string rows = Matrix(shape_.width, kVocabSize, 3.0);
  if (!shape_.ascii_output) return rows;
  const std::size_t row_bytes = std::size_t{2} * shape_.width;
  for (int token = 0; token < kVocabSize; ++token) {
    if (!IsPrintableAscii(token)) rows.replace(token * row_bytes, row_bytes, row_bytes, '\0');
  }
  return rows;
}

std::string Weights::Ones(int count) {
  const auto one = std::bit_cast<std::uint32_t>(1.0F);
  std::string out;
  for (int i = 0; i < count; ++i) {
    for (int byte = 0; byte < 4; ++byte) out += static_cast<char>((one >> (8 * byte)) & 0xFF);
  }
  return out;
}

void Weights::Layer(GgufWriter& out, int index) {
  const int width = shape_.width;
  const int kv = width / shape_.heads * shape_.kv_heads;
  const auto name = [&](const char* part) { return "blk." + std::to_string(index) + "." + part + ".weight"; };
  const auto matrix = [&](const char* part, int columns, int rows, double gain) {
    out.AddTensor(name(part), {static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows)},
                  TensorType::kF16, Matrix(columns, rows, gain));
  };
  out.AddTensor(name("attn_norm"), {static_cast<std::uint64_t>(width)}, TensorType::kF32, Ones(width));
  // Query and key are larger than the rest: attention that picks positions makes the text depend on the
  // prompt.
  matrix("attn_q", width, width, 2.0);
  matrix("attn_k", width, kv, 2.0);
  matrix("attn_v", width, kv, 2.0);
  matrix("attn_output", width, width, 2.0);
  out.AddTensor(name("ffn_norm"), {static_cast<std::uint64_t>(width)}, TensorType::kF32, Ones(width));
  matrix("ffn_gate", width, shape_.feed_forward, 1.0);
  matrix("ffn_up", width, shape_.feed_forward, 1.0);
  matrix("ffn_down", shape_.feed_forward, width, 1.0);
}

void Weights::WriteTo(GgufWriter& out) {
  const auto width = static_cast<std::uint64_t>(shape_.width);
  out.AddTensor("token_embd.weight", {width, kVocabSize}, TensorType::kF16,
                Matrix(shape_.width, kVocabSize, std::sqrt(static_cast<double>(shape_.width))));
  for (int i = 0; i < shape_.layers; ++i) Layer(out, i);
  out.AddTensor("output_norm.weight", {width}, TensorType::kF32, Ones(shape_.width));
  out.AddTensor("output.weight", {width, kVocabSize}, TensorType::kF16, OutputRows());
}

void WriteVocabulary(GgufWriter& out) {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  std::vector<std::int32_t> types = {kUnknown, kControl, kControl};
  constexpr char kHex[] = "0123456789ABCDEF";
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(std::string("<0x") + kHex[byte >> 4] + kHex[byte & 15] + ">");
    types.push_back(kByte);
  }
  // Tokenizers of this kind write a space as U+2581 first; as a byte sequence it would be three tokens.
  tokens[kFirstByteId + ' '] = "\xE2\x96\x81";
  types[kFirstByteId + ' '] = kNormal;
  out.AddString("tokenizer.ggml.model", "llama");
  out.AddStrings("tokenizer.ggml.tokens", tokens);
  out.AddFloats("tokenizer.ggml.scores", std::vector<float>(tokens.size(), 0.0F));
  out.AddI32s("tokenizer.ggml.token_type", types);
  out.AddU32("tokenizer.ggml.bos_token_id", kBosId);
  out.AddU32("tokenizer.ggml.eos_token_id", kEosId);
  out.AddU32("tokenizer.ggml.unknown_token_id", 0);
  out.AddBool("tokenizer.ggml.add_bos_token", true);
  out.AddBool("tokenizer.ggml.add_eos_token", false);
  out.AddBool("tokenizer.ggml.add_space_prefix", false);
  out.AddString("tokenizer.chat_template", kChatTemplate);
}

void WriteArchitecture(const ModelShape& shape, GgufWriter& out) {
  out.AddString("general.architecture", "llama");
  out.AddString("general.name", shape.Name());
  out.AddString("general.description",
                "Random weights from a fixed seed: speed mechanics are real, language is not.");
  out.AddU32("general.file_type", 1);  // mostly F16
  out.AddBool(kSyntheticKey, true);
  out.AddU64("helix.seed", shape.seed);
  out.AddU32("llama.context_length", static_cast<std::uint32_t>(shape.context));
  out.AddU32("llama.embedding_length", static_cast<std::uint32_t>(shape.width));
  out.AddU32("llama.block_count", static_cast<std::uint32_t>(shape.layers));
  out.AddU32("llama.feed_forward_length", static_cast<std::uint32_t>(shape.feed_forward));
  out.AddU32("llama.attention.head_count", static_cast<std::uint32_t>(shape.heads));
  out.AddU32("llama.attention.head_count_kv", static_cast<std::uint32_t>(shape.kv_heads));
  out.AddF32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  out.AddU32("llama.rope.dimension_count", static_cast<std::uint32_t>(shape.width / shape.heads));
  out.AddF32("llama.rope.freq_base", 10000.0F);
  out.AddU32("llama.vocab_size", kVocabSize);
}

}  // namespace

Result<std::string> SyntheticModelBytes(const ModelShape& shape) {
  HELIX_TRY(CheckShape(shape));
  GgufWriter out;
  WriteArchitecture(shape, out);
  WriteVocabulary(out);
  Weights(shape).WriteTo(out);
  return out.Bytes();
}

}  // namespace helix::model
