// A connected byte stream. Plain TCP here; tls_stream.h puts TLS on top.
#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/result.h"
#include "core/net/io_limits.h"
#include "core/net/ip_address.h"

namespace helix::net {

// Not thread-safe. Closed by its destructor.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // At least one byte into `out`, or 0 at a clean end of the stream. kUnavailable when the connection broke.
  virtual Result<std::size_t> Read(char* out, std::size_t size, const IoLimits& limits) = 0;
  // All of `bytes`.
  virtual Status Write(std::string_view bytes, const IoLimits& limits) = 0;
  // True when nothing has arrived and the other side has not closed: the stream can carry another request.
  [[nodiscard]] virtual bool Quiet() = 0;
};

class SocketStream : public ByteStream {
 public:
  // Owns `fd`, a connected non-blocking socket.
  explicit SocketStream(int fd) : fd_(fd) {}
  ~SocketStream() override;
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;

  Result<std::size_t> Read(char* out, std::size_t size, const IoLimits& limits) override;
  Status Write(std::string_view bytes, const IoLimits& limits) override;
  [[nodiscard]] bool Quiet() override;

 private:
  int fd_;
};

// A socket with TCP_NODELAY and close-on-exec, connected within the limits. kUnavailable with the system's
// reason.
Result<std::unique_ptr<SocketStream>> ConnectSocket(const IpAddress& address, int port,
                                                    const IoLimits& limits);

}  // namespace helix::net
