// A loopback proxy that hands every byte on as it comes and keeps a copy of both bodies.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/result.h"
#include "core/net/endpoint_policy.h"
#include "core/record/capture_writer.h"

namespace helix::record {

struct RecorderOptions {
  std::string upstream;                // URL; a path of /v1 is dropped
  std::string listen = "127.0.0.1:0";  // loopback only; port 0: a free one
  std::string capture;                 // file to append to
  double stall_timeout_s = 600;        // longest silence of the upstream
};

// One connection carries one request: the reply ends with the connection, so that nothing of its framing has
// to be changed. Threads: one accepts, one per open connection.
class Recorder {
 public:
  // kRefused when `listen` is not loopback; kUnavailable when the port is taken.
  static Result<std::unique_ptr<Recorder>> Start(const RecorderOptions& options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::uint64_t recorded() const { return recorded_; }
  // The first error of writing the capture, or empty.
  [[nodiscard]] std::string write_error() const;
  // Ends all connections; returns when they are gone.
  void Stop();

 private:
  Recorder(net::Endpoint upstream, CaptureWriter writer, double stall_s);
  void AcceptLoop();
  void Serve(int fd);
  void Note(const Exchange& exchange);

  net::Endpoint upstream_;
  CaptureWriter writer_;
  double stall_s_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<std::uint64_t> recorded_{0};
  std::stop_source stop_;
  std::thread acceptor_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable idle_;
  int open_ = 0;
  std::string write_error_;
};

}  // namespace helix::record
