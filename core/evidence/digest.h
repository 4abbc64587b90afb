// SHA-256, the only digest on disk.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helix::evidence {

using Digest = std::array<std::uint8_t, 32>;

// One EVP context reused for many digests (three times faster per small block than a new one each). Not
// thread-safe; one per thread.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Update(std::string_view bytes);
  // The digest of everything since the last Finish; ready for the next one.
  Digest Finish();

 private:
  void* context_;
};

Digest Sha256Of(std::string_view bytes);
// 64 lower-case hexadecimal digits.
std::string Hex(const Digest& digest);
std::string Sha256Hex(std::string_view bytes);
// Nullopt unless `hex` is exactly 64 lower-case hexadecimal digits: the gate before a digest becomes a path.
std::optional<Digest> DigestFromHex(std::string_view hex);

}  // namespace helix::evidence
