#include "core/consistency/identity.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"

namespace helix::consistency {
namespace {

constexpr std::string_view kRequest{"CCE1req\0", 8};
constexpr std::string_view kRoot{"CCE1root\0", 9};
constexpr std::string_view kBlock{"CCE1blk\0", 8};
constexpr std::string_view kKv{"CCE1kv\0", 7};
constexpr std::string_view kOut{"CCE1out\0", 8};

void AppendLittleEndian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

std::string_view BytesOf(const evidence::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

void Pick(const Json& environment, const std::vector<std::string>& fields, Json& out) {
  for (const std::string& field : fields) {
    const Json* value = Find(environment, field);
    out[field] = value ? *value : Json(nullptr);
  }
}

evidence::Digest Domain(std::string_view domain, const Json& value) {
  return evidence::Sha256Of(std::string(domain) + evidence::CanonicalJson(value));
}

}  // namespace

const std::vector<std::string>& TransportFields() {
  static const std::vector<std::string> fields = {"stream", "stream_options", "user"};
  return fields;
}

evidence::Digest CanonicalRequestDigest(const Json& request) {
  Json meaning = request;
  if (meaning.is_object())
    for (const std::string& field : TransportFields()) meaning.erase(field);
  return Domain(kRequest, meaning);
}

evidence::Digest RawRequestDigest(std::string_view bytes) {
  return evidence::Sha256Of(bytes);
}

const std::vector<std::string>& KvFields() {
  static const std::vector<std::string> fields = {"weights_sha256",   "architecture", "rope",
                                                  "tokenizer_sha256", "loras",        "multimodal_inputs",
                                                  "kv_dtype",         "engine_build", "attention_backend",
                                                  "tensor_parallel",  "salt"};
  return fields;
}

const std::vector<std::string>& OutputFields() {
  static const std::vector<std::string> fields = {
      "temperature", "top_k",      "top_p",    "min_p",      "penalties", "samplers",         "seed",
      "grammar",     "logit_bias", "logprobs", "max_tokens", "stop",      "batch_composition"};
  return fields;
}

evidence::Digest KvDigest(const Json& environment) {
  Json key = Json::object();
  Pick(environment, KvFields(), key);
  return Domain(kKv, key);
}

evidence::Digest OutputDigest(const Json& environment) {
  Json key = Json::object();
  Pick(environment, KvFields(), key);
  Pick(environment, OutputFields(), key);
  return Domain(kOut, key);
}

BlockChain ChainOf(std::string_view ns, const std::vector<std::int32_t>& tokens, std::size_t block_size,
                   const std::vector<std::string>& extra) {
  evidence::Sha256 sha;
  std::string bytes(kRoot);
  AppendLittleEndian(bytes, ns.size(), 8);
  bytes += ns;
  sha.Update(bytes);
  BlockChain chain;
  chain.root = sha.Finish();
  evidence::Digest parent = chain.root;
  for (std::size_t begin = 0; begin + block_size <= tokens.size(); begin += block_size) {
    bytes.assign(kBlock);
    bytes += BytesOf(parent);
    AppendLittleEndian(bytes, block_size, 4);
    for (std::size_t i = 0; i < block_size; ++i)
      AppendLittleEndian(bytes, static_cast<std::uint32_t>(tokens[begin + i]), 4);
    const std::size_t block = begin / block_size;
    if (block < extra.size() && !extra[block].empty()) {
      AppendLittleEndian(bytes, extra[block].size(), 4);
      bytes += extra[block];
    }
    sha.Update(bytes);
    parent = sha.Finish();
    chain.blocks.push_back(parent);
  }
  return chain;
}

std::size_t SharedTokens(const BlockChain& a, const BlockChain& b, std::size_t block_size) {
  if (a.root != b.root) return 0;
  std::size_t shared = 0;
  const std::size_t common = std::min(a.blocks.size(), b.blocks.size());
  while (shared < common && a.blocks[shared] == b.blocks[shared]) ++shared;
  return shared * block_size;
}

}  // namespace helix::consistency
