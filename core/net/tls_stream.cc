#include "core/net/tls_stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <map>
#include <mutex>

#include "core/base/clock.h"

namespace helix::net {
namespace {

using ContextPtr = std::shared_ptr<SSL_CTX>;
using SslPtr = std::unique_ptr<SSL, decltype(&SSL_free)>;

std::string OpenSslReason() {
  unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "unknown TLS error" : reason;
}

Result<ContextPtr> MakeContext(const std::string& ca_file) {
  ContextPtr context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context) return Fail(ErrorCode::kInternal, "TLS could not be set up: " + OpenSslReason());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  int loaded = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context.get())
                               : SSL_CTX_load_verify_locations(context.get(), ca_file.c_str(), nullptr);
  if (loaded != 1) {
    return Fail(ErrorCode::kIo, "the trusted certificates could not be read: " + OpenSslReason(),
                "install ca-certificates, or name a PEM file in SSL_CERT_FILE");
  }
  return context;
}

// Reading the system's roots takes tens of milliseconds: once per process and CA file.
Result<ContextPtr> SharedContext(const std::string& ca_file) {
  static std::mutex mutex;
  static std::map<std::string, ContextPtr> contexts;
  std::lock_guard lock(mutex);
  if (auto found = contexts.find(ca_file); found != contexts.end()) return found->second;
  auto made = MakeContext(ca_file);
  if (made) contexts.emplace(ca_file, *made);
  return made;
}

// OpenSSL works on memory buffers and never touches the socket: waiting, cancelling and SIGPIPE stay in one
// place.
class TlsStream : public ByteStream {
 public:
  TlsStream(ContextPtr context, SslPtr ssl, std::unique_ptr<ByteStream> below)
      : context_(std::move(context)), ssl_(std::move(ssl)), below_(std::move(below)) {}

  Status Handshake(const IoLimits& limits);
  Result<std::size_t> Read(char* out, std::size_t size, const IoLimits& limits) override;
  Status Write(std::string_view bytes, const IoLimits& limits) override;
  [[nodiscard]] bool Quiet() override;

 private:
  Status Flush(const IoLimits& limits);
  // Sends what OpenSSL wrote; then, when it wants to read, fetches more. False at the end of the socket's
  // stream.
  Result<bool> Pump(int ssl_result, const IoLimits& limits);
  Error HandshakeError(std::string reason) const;

  ContextPtr context_;
  SslPtr ssl_;
  std::unique_ptr<ByteStream> below_;
};

Status TlsStream::Flush(const IoLimits& limits) {
  std::array<char, 16384> bytes{};
  BIO* out = SSL_get_wbio(ssl_.get());
  for (int got = 0; (got = BIO_read(out, bytes.data(), static_cast<int>(bytes.size()))) > 0;) {
    HELIX_TRY(below_->Write({bytes.data(), static_cast<std::size_t>(got)}, limits));
  }
  return {};
}

Result<bool> TlsStream::Pump(int ssl_result, const IoLimits& limits) {
  const int wanted = SSL_get_error(ssl_.get(), ssl_result);
  HELIX_TRY(Flush(limits));
  if (wanted == SSL_ERROR_ZERO_RETURN) return false;
  if (wanted == SSL_ERROR_WANT_WRITE) return true;
  if (wanted != SSL_ERROR_WANT_READ) return Fail(ErrorCode::kUnavailable, "TLS failed: " + OpenSslReason());
  std::array<char, 16384> bytes{};
  auto got = below_->Read(bytes.data(), bytes.size(), limits);
  if (!got) return tl::make_unexpected(got.error());
  // Without a close_notify the end may be an attacker's cut: never a clean end.
  if (*got == 0) return Fail(ErrorCode::kUnavailable, "the connection broke: TLS was not closed properly");
  BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(*got));
  return true;
}

Error TlsStream::HandshakeError(std::string reason) const {
  long verdict = SSL_get_verify_result(ssl_.get());
  if (verdict != X509_V_OK) {
    return {ErrorCode::kUnavailable,
            std::string("the server's TLS certificate was not accepted: ") +
                X509_verify_cert_error_string(verdict),
            "give the server a certificate for this name, and name its CA in SSL_CERT_FILE"};
  }
  return {ErrorCode::kUnavailable, "the TLS handshake failed: " + reason,
          "check that the endpoint speaks https"};
}

Status TlsStream::Handshake(const IoLimits& limits) {
  for (;;) {
    int result = SSL_connect(ssl_.get());
    if (result == 1) return Flush(limits);
    auto more = Pump(result, limits);
    if (more && *more) continue;
    if (!more && more.error().code != ErrorCode::kUnavailable) return tl::make_unexpected(more.error());
    return tl::make_unexpected(
        HandshakeError(more ? "the server closed the connection" : more.error().message));
  }
}

Result<std::size_t> TlsStream::Read(char* out, std::size_t size, const IoLimits& limits) {
  for (;;) {
    int got = SSL_read(ssl_.get(), out, static_cast<int>(std::min<std::size_t>(size, 1 << 20)));
    if (got > 0) return static_cast<std::size_t>(got);
    auto more = Pump(got, limits);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) return std::size_t{0};
  }
}

Status TlsStream::Write(std::string_view bytes, const IoLimits& limits) {
  while (!bytes.empty()) {
    int sent =
        SSL_write(ssl_.get(), bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), 1 << 20)));
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      HELIX_TRY(Flush(limits));
      continue;
    }
    auto more = Pump(sent, limits);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) return Fail(ErrorCode::kUnavailable, "the connection broke: the server closed it");
  }
  return {};
}

// Session tickets arrive after the handshake and are no reply: they are taken in, and only what is left
// counts.
bool TlsStream::Quiet() {
  for (;;) {
    char byte = 0;
    const int got = SSL_peek(ssl_.get(), &byte, 1);
    if (got > 0 || SSL_get_error(ssl_.get(), got) != SSL_ERROR_WANT_READ) return false;
    if (below_->Quiet()) return true;
    const IoLimits now{{}, 0, SteadyNowNs()};
    if (auto more = Pump(got, now); !more || !*more) return false;
  }
}

bool SetExpectedHost(SSL* ssl, const std::string& host) {
  if (ParseIpAddress(host)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set_tlsext_host_name(ssl, host.c_str()) == 1 && SSL_set1_host(ssl, host.c_str()) == 1;
}

}  // namespace

Result<std::unique_ptr<ByteStream>> StartTls(std::unique_ptr<ByteStream> below, const std::string& host,
                                             const std::string& ca_file, const IoLimits& limits) {
  auto context = SharedContext(ca_file);
  if (!context) return tl::make_unexpected(context.error());
  SslPtr ssl(SSL_new(context->get()), SSL_free);
  if (!ssl || !SetExpectedHost(ssl.get(), host)) {
    return Fail(ErrorCode::kInternal, "TLS could not be set up: " + OpenSslReason());
  }
  SSL_set_bio(ssl.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  auto stream = std::make_unique<TlsStream>(std::move(*context), std::move(ssl), std::move(below));
  HELIX_TRY(stream->Handshake(limits));
  return stream;
}

}  // namespace helix::net
