// A TLS server with a certificate made on the spot, for tests of verification.
#pragma once
#include <atomic>
#include <string>
#include <thread>

namespace helix::fakes {

// Listens on a free port of 127.0.0.1; answers every connection's first bytes with `reply` and ends it, with
// or without a TLS close. The self-signed certificate is valid for `subject` only, as DNS:name or IP:address.
class TlsFakeServer {
 public:
  TlsFakeServer(const std::string& subject, std::string reply, bool close_properly = true);
  ~TlsFakeServer();
  TlsFakeServer(const TlsFakeServer&) = delete;
  TlsFakeServer& operator=(const TlsFakeServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& certificate_pem() const { return certificate_; }

 private:
  void Serve(void* context);

  std::string reply_;
  bool close_properly_;
  std::string certificate_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace helix::fakes
