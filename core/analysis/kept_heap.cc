#include "core/analysis/kept_heap.h"

#include <atomic>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace helix::analysis {
namespace {

std::atomic<int> living{0};

void Thresholds([[maybe_unused]] int bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
#endif
}

}  // namespace

KeptHeap::KeptHeap(bool large) : large_(large) {
  if (large_ && living.fetch_add(1) == 0) Thresholds(1 << 30);
}

KeptHeap::~KeptHeap() {
  if (!large_ || living.fetch_sub(1) != 1) return;
  Thresholds(128 * 1024);  // the C library's own default
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace helix::analysis
