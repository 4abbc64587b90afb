// Merkle tree hash of RFC 6962 section 2.1: leaf SHA-256(0x00 || data), node SHA-256(0x01 || left || right),
// split at the largest power of two below n; an odd node is never duplicated.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/evidence/digest.h"

namespace helix::evidence {

Digest MerkleRoot(const std::vector<std::string_view>& leaves);

// The root over the 32 bytes of each digest, given as 64 lower-case hexadecimal digits. False when one is
// not.
bool MerkleRootOfHexDigests(const std::vector<std::string>& digests, Digest& root);

}  // namespace helix::evidence
