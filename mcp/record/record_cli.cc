#include "mcp/record/record_cli.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <ostream>
#include <thread>

namespace helix::mcp {

void AddRecordCommand(CLI::App& app, record::RecorderOptions& options) {
  auto* command =
      app.add_subcommand("record",
                         "Pass a client's traffic on to a model server, byte for byte, and keep a capture "
                         "for diagnose-session and bench-track-a");
  command->add_option("--upstream", options.upstream, "URL of the model server")
      ->required()
      ->type_name("URL");
  command
      ->add_option("--listen", options.listen,
                   "Loopback address to listen at (default 127.0.0.1:0, a free port)")
      ->type_name("HOST:PORT");
  command->add_option("--out", options.capture, "File to append the capture to")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--stall-timeout", options.stall_timeout_s,
                   "Longest silence of the server, in seconds (default 600)")
      ->type_name("S");
}

int Record(const record::RecorderOptions& options, const std::stop_token& stop, std::ostream& err) {
  auto recorder = record::Recorder::Start(options);
  if (!recorder) {
    err << "error: " << recorder.error().Text() << "\n";
    return 2;
  }
  err << "recording http://127.0.0.1:" << (*recorder)->port() << " -> " << options.upstream << " into "
      << options.capture << std::endl;
  while (!stop.stop_requested() && (*recorder)->write_error().empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*recorder)->Stop();
  err << (*recorder)->recorded() << " exchanges recorded\n";
  if ((*recorder)->write_error().empty()) return 0;
  err << "error: " << (*recorder)->write_error() << "\n";
  return 2;
}

}  // namespace helix::mcp
