#include "tests/core/net/tls_fake_server.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace helix::fakes {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

Certificate SelfSigned(EVP_PKEY* key, const std::string& subject) {
  Certificate cert(X509_new(), X509_free);
  X509_set_version(cert.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(cert.get()), 3600);
  X509_set_pubkey(cert.get(), key);
  X509_NAME* name = X509_get_subject_name(cert.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("fake"), -1, -1,
                             0);
  X509_set_issuer_name(cert.get(), name);
  X509_EXTENSION* alt = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, subject.c_str());
  if (alt == nullptr) throw std::runtime_error("not a subject: " + subject);
  X509_add_ext(cert.get(), alt, -1);
  X509_EXTENSION_free(alt);
  X509_sign(cert.get(), key, EVP_sha256());
  return cert;
}

std::string Pem(X509* cert) {
  std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_X509(bio.get(), cert);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

int Listen(int* port) {
  int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd, 8) != 0) {
    throw std::runtime_error("the fake TLS server could not listen on loopback");
  }
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  *port = ntohs(address.sin_port);
  return fd;
}

}  // namespace

TlsFakeServer::TlsFakeServer(const std::string& subject, std::string reply, bool close_properly)
    : reply_(std::move(reply)), close_properly_(close_properly) {
  Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  Certificate cert = SelfSigned(key.get(), subject);
  certificate_ = Pem(cert.get());
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate(context, cert.get());
  SSL_CTX_use_PrivateKey(context, key.get());
  listener_ = Listen(&port_);
  thread_ = std::thread([this, context] { Serve(context); });
}

TlsFakeServer::~TlsFakeServer() {
  stopping_ = true;
  thread_.join();
  ::close(listener_);
}

void TlsFakeServer::Serve(void* context) {
  auto* ssl_context = static_cast<SSL_CTX*>(context);
  while (!stopping_) {
    pollfd item{listener_, POLLIN, 0};
    if (poll(&item, 1, 10) <= 0) continue;
    int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    SSL* ssl = SSL_new(ssl_context);
    SSL_set_fd(ssl, fd);
    std::array<char, 4096> bytes{};
    if (SSL_accept(ssl) == 1 && SSL_read(ssl, bytes.data(), static_cast<int>(bytes.size())) > 0) {
      SSL_write(ssl, reply_.data(), static_cast<int>(reply_.size()));
      if (close_properly_) SSL_shutdown(ssl);
    }
    SSL_free(ssl);
    ::close(fd);
  }
  SSL_CTX_free(ssl_context);
}

}  // namespace helix::fakes
