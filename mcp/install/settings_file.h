// Registration in a client's settings file: what the file would be, and the write itself.
#pragma once
#include <string>

#include "core/base/result.h"
#include "mcp/install/client.h"

namespace helix::mcp {

// The file's text with the server registered, or without it. Everything that is not ours stays byte by byte.
Result<std::string> WithServer(const std::string& text, const Client& client, const ServerAddress& to);
Result<std::string> WithoutServer(const std::string& text, const Client& client);

// The entry as it stands in the client's file, for people to read.
std::string EntryText(const Client& client, const ServerAddress& to);

// The text of a file that need not be there yet (then empty).
Result<std::string> ReadSettings(const std::string& file);

// Keeps the old bytes in `<file>.before-helix-perf-cache` (when there was a file), then replaces the file at
// once and keeps its mode. A symbolic link stays one: the file that it leads to is replaced. Returns the
// backup's path or "".
Result<std::string> WriteSettings(const std::string& file, const std::string& text);

}  // namespace helix::mcp
