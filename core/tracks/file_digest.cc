#include "core/tracks/file_digest.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include "core/evidence/digest.h"

namespace helix::tracks {

std::optional<std::string> FileSha256(const std::string& path, std::uint64_t max_bytes) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > max_bytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  evidence::Sha256 digest;
  std::vector<char> buffer(std::size_t{1} << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    digest.Update({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) return std::nullopt;
  return evidence::Hex(digest.Finish());
}

}  // namespace helix::tracks
