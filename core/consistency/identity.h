// What a request and its cached state are, as digests: equal digest, equal thing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/evidence/digest.h"

namespace helix::consistency {

// Fields that only concern transport and change neither the prompt nor the answer; version 1 of the set,
// which the domain "CCE1req" stands for.
const std::vector<std::string>& TransportFields();

// SHA-256("CCE1req\0" || RFC 8785 form of the request without its transport fields): what the request means.
evidence::Digest CanonicalRequestDigest(const Json& request);
// SHA-256 of the bytes as sent. Raw differs and canonical is equal: key order or white space, harmless for
// engines that render from parsed JSON and fatal for caches keyed by bytes.
evidence::Digest RawRequestDigest(std::string_view bytes);

// Everything the keys and values of a token depend on besides the tokens before it. Absent fields count as
// null.
const std::vector<std::string>& KvFields();
// What the generated output depends on beyond that.
const std::vector<std::string>& OutputFields();
// SHA-256("CCE1kv\0" || canonical JSON of the KvFields of `environment`).
evidence::Digest KvDigest(const Json& environment);
// SHA-256("CCE1out\0" || canonical JSON of KvFields and OutputFields).
evidence::Digest OutputDigest(const Json& environment);

// A chain of block digests over token ids: equal digest of block i means equal tokens from the start through
// block i.
//   root  = SHA-256("CCE1root\0" || u64le(len ns) || ns)
//   block = SHA-256("CCE1blk\0" || parent || u32le(n) || u32le(token)... [|| u32le(len extra) || extra])
struct BlockChain {
  evidence::Digest root{};
  std::vector<evidence::Digest> blocks;  // full blocks only
};
// `ns` names everything outside the tokens (model, tokenizer, salt, LoRA). `extra`: per block bytes such as
// image digests with their shape; empty or shorter than the blocks where there is none. block_size > 0.
BlockChain ChainOf(std::string_view ns, const std::vector<std::int32_t>& tokens, std::size_t block_size,
                   const std::vector<std::string>& extra = {});

// Tokens covered by the blocks that both chains share.
std::size_t SharedTokens(const BlockChain& a, const BlockChain& b, std::size_t block_size);

}  // namespace helix::consistency
