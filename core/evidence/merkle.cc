#include "core/evidence/merkle.h"

namespace helix::evidence {
namespace {

std::string_view Bytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Digest Node(Sha256& hasher, const Digest& left, const Digest& right) {
  hasher.Update(std::string_view("\x01", 1));
  hasher.Update(Bytes(left));
  hasher.Update(Bytes(right));
  return hasher.Finish();
}

}  // namespace

// A stack of complete subtrees, as a binary counter: the same tree as the recursive split, in O(log n)
// memory.
Digest MerkleRoot(const std::vector<std::string_view>& leaves) {
  if (leaves.empty()) return Sha256Of({});
  Sha256 hasher;
  std::vector<std::pair<std::size_t, Digest>> stack;  // number of leaves below, root
  for (auto leaf : leaves) {
    hasher.Update(std::string_view("\x00", 1));
    hasher.Update(leaf);
    std::pair<std::size_t, Digest> top{1, hasher.Finish()};
    while (!stack.empty() && stack.back().first == top.first) {
      top = {top.first * 2, Node(hasher, stack.back().second, top.second)};
      stack.pop_back();
    }
    stack.push_back(top);
  }
  Digest root = stack.back().second;
  for (std::size_t i = stack.size() - 1; i-- > 0;) root = Node(hasher, stack[i].second, root);
  return root;
}

bool MerkleRootOfHexDigests(const std::vector<std::string>& digests, Digest& root) {
  std::vector<std::string> raw;
  raw.reserve(digests.size());
  for (const auto& hex : digests) {
    auto digest = DigestFromHex(hex);
    if (!digest) return false;
    raw.emplace_back(Bytes(*digest));
  }
  root = MerkleRoot({raw.begin(), raw.end()});
  return true;
}

}  // namespace helix::evidence
