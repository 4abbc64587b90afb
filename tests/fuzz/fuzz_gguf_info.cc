// The head of a GGUF file: read or refused, never a crash, a hang or a large allocation.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "core/model/gguf_info.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int fd = ::memfd_create("gguf", MFD_CLOEXEC);
  HELIX_REQUIRE(fd >= 0 && ::write(fd, data, size) == static_cast<ssize_t>(size));
  auto info = helix::model::ReadGgufInfo("/proc/self/fd/" + std::to_string(fd));
  if (info) HELIX_REQUIRE(!info->architecture.empty() && info->architecture.size() <= size);
  ::close(fd);
  return 0;
}
