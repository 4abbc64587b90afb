// Keeps freed memory in the process while a large report is analysed. The statistics use lists of megabytes,
// one after the other; by default the C library gives each back to the kernel and takes page faults for the
// next, which costs a fifth of the time.
#pragma once

namespace helix::analysis {

// Process-wide while it lives; harmless to nest and from several threads: the last one to end gives the
// memory back.
class KeptHeap {
 public:
  explicit KeptHeap(bool large);
  ~KeptHeap();
  KeptHeap(const KeptHeap&) = delete;
  KeptHeap& operator=(const KeptHeap&) = delete;

 private:
  bool large_;
};

}  // namespace helix::analysis
