// A loopback proxy that hands every byte on as it comes and keeps a copy of both bodies.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/net/endpoint_policy.h"
#include "core/record/capture_queue.h"

namespace helix::record {

struct RecorderOptions {
  std::string upstream;                // URL; a path of /v1 is dropped
  std::string listen = "127.0.0.1:0";  // loopback only; port 0: a free one
  std::string capture;                 // file to append to
  double stall_timeout_s = 600;        // longest silence of the upstream
};

// One connection carries one request: the reply ends with the connection, so that nothing of its framing has
// to be changed. Threads: one writes the capture; the others take a connection in turn and serve it
// themselves, so that nobody has to be woken for it. There is always one more than open connections.
class Recorder {
 public:
  // kRefused when `listen` is not loopback; kUnavailable when the port is taken.
  static Result<std::unique_ptr<Recorder>> Start(const RecorderOptions& options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] int port() const { return port_; }
  // Exchanges in the file; all of them after Stop.
  [[nodiscard]] std::uint64_t recorded() const { return capture_.written(); }
  // The first error of writing the capture, or empty.
  [[nodiscard]] std::string write_error() const { return capture_.error(); }
  // Ends all connections; returns when they are gone and the capture is written.
  void Stop();

 private:
  Recorder(net::Endpoint upstream, CaptureWriter writer, double stall_s);
  void StartThread();
  void Work();
  // The next connection, or -1 when the recorder stops.
  int TakeConnection();
  void Serve(int fd);

  net::Endpoint upstream_;
  CaptureQueue capture_;
  double stall_s_;
  int listener_ = -1;
  int port_ = 0;
  std::stop_source stop_;
  std::mutex turn_;   // held by the thread that takes the next connection
  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  int threads_ = 0;
  int free_ = 0;  // of the threads: those without a connection
};

}  // namespace helix::record
