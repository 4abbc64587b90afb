// Writes GGUF version 3 (github.com/ggml-org/ggml, docs/gguf.md), little-endian, alignment 32.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helix::model {

enum class TensorType : std::uint32_t { kF32 = 0, kF16 = 1 };

// Not thread-safe. Keys and tensors come out in the order they were added.
class GgufWriter {
 public:
  void AddString(const std::string& key, std::string_view value);
  void AddU32(const std::string& key, std::uint32_t value);
  void AddU64(const std::string& key, std::uint64_t value);
  void AddF32(const std::string& key, float value);
  void AddBool(const std::string& key, bool value);
  void AddStrings(const std::string& key, const std::vector<std::string>& values);
  void AddFloats(const std::string& key, const std::vector<float>& values);
  void AddI32s(const std::string& key, const std::vector<std::int32_t>& values);
  // `dimensions`: the fastest-changing first. `data`: the elements in memory order.
  void AddTensor(const std::string& name, const std::vector<std::uint64_t>& dimensions, TensorType type,
                 std::string data);

  // The whole file.
  [[nodiscard]] std::string Bytes() const;

 private:
  void Key(const std::string& key, std::uint32_t type);

  std::string keys_;
  std::string tensor_infos_;
  std::string data_;
  std::uint64_t key_count_ = 0;
  std::uint64_t tensor_count_ = 0;
};

}  // namespace helix::model
