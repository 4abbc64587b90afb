#include "core/model/gguf_writer.h"

#include <bit>

namespace helix::model {
namespace {

constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kAlignment = 32;  // the format's default, so no key is needed for it

enum ValueType : std::uint32_t {
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10
};

template <typename T>
void Put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

void PutFloat(std::string& out, float value) {
  Put(out, std::bit_cast<std::uint32_t>(value));
}

void PutString(std::string& out, std::string_view text) {
  Put(out, static_cast<std::uint64_t>(text.size()));
  out += text;
}

void Pad(std::string& out) {
  out.resize((out.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
}

void PutArrayHead(std::string& out, ValueType element, std::size_t count) {
  Put(out, static_cast<std::uint32_t>(element));
  Put(out, static_cast<std::uint64_t>(count));
}

}  // namespace

void GgufWriter::Key(const std::string& key, std::uint32_t type) {
  ++key_count_;
  PutString(keys_, key);
  Put(keys_, type);
}

void GgufWriter::AddString(const std::string& key, std::string_view value) {
  Key(key, kString);
  PutString(keys_, value);
}

void GgufWriter::AddU32(const std::string& key, std::uint32_t value) {
  Key(key, kU32);
  Put(keys_, value);
}

void GgufWriter::AddU64(const std::string& key, std::uint64_t value) {
  Key(key, kU64);
  Put(keys_, value);
}

void GgufWriter::AddF32(const std::string& key, float value) {
  Key(key, kF32);
  PutFloat(keys_, value);
}

void GgufWriter::AddBool(const std::string& key, bool value) {
  Key(key, kBool);
  keys_ += value ? '\1' : '\0';
}

void GgufWriter::AddStrings(const std::string& key, const std::vector<std::string>& values) {
  Key(key, kArray);
  PutArrayHead(keys_, kString, values.size());
  for (const std::string& value : values) PutString(keys_, value);
}

void GgufWriter::AddFloats(const std::string& key, const std::vector<float>& values) {
  Key(key, kArray);
  PutArrayHead(keys_, kF32, values.size());
  for (float value : values) PutFloat(keys_, value);
}

void GgufWriter::AddI32s(const std::string& key, const std::vector<std::int32_t>& values) {
  Key(key, kArray);
  PutArrayHead(keys_, kI32, values.size());
  for (std::int32_t value : values) Put(keys_, static_cast<std::uint32_t>(value));
}

void GgufWriter::AddTensor(const std::string& name, const std::vector<std::uint64_t>& dimensions,
                           TensorType type, std::string data) {
  ++tensor_count_;
  PutString(tensor_infos_, name);
  Put(tensor_infos_, static_cast<std::uint32_t>(dimensions.size()));
  for (std::uint64_t dimension : dimensions) Put(tensor_infos_, dimension);
  Put(tensor_infos_, static_cast<std::uint32_t>(type));
  Put(tensor_infos_, static_cast<std::uint64_t>(data_.size()));
  data_ += data;
  Pad(data_);
}

std::string GgufWriter::Bytes() const {
  std::string out = "GGUF";
  Put(out, kVersion);
  Put(out, tensor_count_);
  Put(out, key_count_);
  out += keys_;
  out += tensor_infos_;
  Pad(out);
  return out + data_;
}

}  // namespace helix::model
