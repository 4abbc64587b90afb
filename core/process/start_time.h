// When a process started, by the kernel: with the pid it names one process, also after the pid is used again.
#pragma once
#include <cstdint>
#include <istream>
#include <string>

namespace helix::process {

// Clock ticks after boot, field 22 of proc(5)'s /proc/<pid>/stat; empty when no such process runs (a zombie
// does not).
std::string StartTime(std::int64_t pid);
// The same from an open stat file. Its process may end before the file is read; the read then fails, and this
// is empty.
std::string StartTimeFrom(std::istream& stat);

}  // namespace helix::process
