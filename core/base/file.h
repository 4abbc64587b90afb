// Whole-file reading and atomic writing.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace helix {

// The file's bytes. "-" is standard input. Refuses directories and more than `max_bytes`.
Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes = std::size_t{1} << 31);
// The same into `bytes`, whose memory is used again; after an error it holds a part or nothing.
Status ReadFileInto(const std::string& path, std::string& bytes, std::size_t max_bytes = std::size_t{1} << 31);

// Writes beside the target, syncs, renames over it and syncs the folder: readers see the old or the new
// bytes, never a part. Creates the parent folders. Mode is for a new file.
Status WriteFileAtomic(const std::string& path, std::string_view bytes, unsigned mode = 0600);

}  // namespace helix
