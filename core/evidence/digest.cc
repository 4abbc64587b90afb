#include "core/evidence/digest.h"

#include <openssl/evp.h>

#include <cstdlib>

namespace helix::evidence {
namespace {

const EVP_MD* FetchedSha256() {
  static EVP_MD* md = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (md == nullptr) std::abort();  // OpenSSL without SHA-256 cannot run this program at all
  return md;
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex2(static_cast<EVP_MD_CTX*>(context_), FetchedSha256(), nullptr);
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_));
}

void Sha256::Update(std::string_view bytes) {
  EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), bytes.data(), bytes.size());
}

Digest Sha256::Finish() {
  Digest out;
  auto* context = static_cast<EVP_MD_CTX*>(context_);
  EVP_DigestFinal_ex(context, out.data(), nullptr);
  EVP_DigestInit_ex2(context, nullptr, nullptr);
  return out;
}

Digest Sha256Of(std::string_view bytes) {
  thread_local Sha256 hasher;
  hasher.Update(bytes);
  return hasher.Finish();
}

std::string Hex(const Digest& digest) {
  static const char* kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (auto byte : digest) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string Sha256Hex(std::string_view bytes) {
  return Hex(Sha256Of(bytes));
}

std::optional<Digest> DigestFromHex(std::string_view hex) {
  if (hex.size() != 64) return std::nullopt;
  Digest out{};
  for (std::size_t i = 0; i < 64; ++i) {
    char c = hex[i];
    int digit = c >= '0' && c <= '9' ? c - '0' : (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
    if (digit < 0) return std::nullopt;
    out[i / 2] = static_cast<std::uint8_t>(out[i / 2] * 16 + digit);
  }
  return out;
}

}  // namespace helix::evidence
