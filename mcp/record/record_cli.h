// The `record` subcommand: a loopback proxy that keeps a capture of real traffic.
#pragma once
#include <iosfwd>
#include <stop_token>
#include <string>

#include "core/record/recorder.h"

namespace CLI {
class App;
}

namespace helix::mcp {

void AddRecordCommand(CLI::App& app, record::RecorderOptions& options);

// Runs until `stop`; says on `err` where it listens and how many exchanges it kept. 0, or 2 when it cannot
// start or the capture cannot be written.
int Record(const record::RecorderOptions& options, const std::stop_token& stop, std::ostream& err);

}  // namespace helix::mcp
