// bench_hash_speed: bulk SHA-256 against `openssl speed -evp sha256` in the same run, and a chain of 131,072
// tokens in blocks of 16. CPU time.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "core/evidence/digest.h"

namespace {

using helix::evidence::Digest;
using helix::evidence::Sha256;

double CpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double OurBytesPerSecond() {
  std::string block(16384, 'x');
  Sha256 hasher;
  double start = CpuSeconds();
  double bytes = 0;
  unsigned sink = 0;
  while (CpuSeconds() - start < 2) {
    for (int i = 0; i < 200; ++i) {
      hasher.Update(block);
      sink += hasher.Finish()[0];
    }
    bytes += 200.0 * 16384;
  }
  double rate = bytes / (CpuSeconds() - start);
  if (sink == 1) std::printf(" ");
  return rate;
}

// The number that openssl prints, in bytes per CPU second; 0 when there is no openssl program.
double OpensslBytesPerSecond() {
  FILE* pipe = ::popen("openssl speed -evp sha256 -bytes 16384 -seconds 2 2>/dev/null", "r");
  if (pipe == nullptr) return 0;
  char line[512];
  double rate = 0;
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    if (std::strstr(line, "ha256") == nullptr) continue;
    const char* last = std::strrchr(line, ' ');
    if (last != nullptr) rate = std::atof(last + 1) * 1000;
  }
  ::pclose(pipe);
  return rate;
}

double ChainMilliseconds() {
  constexpr int kTokens = 131072;
  constexpr int kBlock = 16;
  std::string tokens(kTokens * 4, '\1');
  Sha256 hasher;
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    Digest previous{};
    double start = CpuSeconds();
    for (int i = 0; i < kTokens; i += kBlock) {
      hasher.Update({reinterpret_cast<const char*>(previous.data()), previous.size()});
      hasher.Update({tokens.data() + i * 4, kBlock * 4});
      previous = hasher.Finish();
    }
    best = std::min(best, (CpuSeconds() - start) * 1000);
  }
  return best;
}

}  // namespace

int main() {
  double ours = OurBytesPerSecond();
  double openssl = OpensslBytesPerSecond();
  std::printf("SHA-256, 16 KiB blocks: ours %.0f MB/s", ours / 1e6);
  if (openssl > 0) std::printf(", openssl speed %.0f MB/s, ours/openssl %.3f", openssl / 1e6, ours / openssl);
  std::printf("\nchain of 131,072 tokens in blocks of 16: %.3f ms CPU (best of 20)\n", ChainMilliseconds());
  return 0;
}
