#include "core/equivalence/arm_output.h"

#include "core/evidence/digest.h"

namespace helix::equivalence {

ArmOutput FromReply(const backend::GenerateReply& reply) {
  ArmOutput out;
  out.tokens = reply.tokens;
  out.has_token_ids = reply.has_token_ids;
  if (reply.logprobs.size() == reply.tokens.size()) out.logprobs = reply.logprobs;
  out.text = reply.text;
  out.finish = reply.finish;
  out.cached_tokens = reply.cached_tokens.optional();
  out.prompt_tokens = reply.prompt_tokens.optional();
  if (reply.cached_tokens.present() && reply.cached_tokens.origin() == Origin::kServer)
    out.processed_tokens = reply.processed_tokens.optional();
  out.prefill_ms = reply.prefill_ms.optional();
  out.truncated = reply.truncated;
  if (!reply.response_body.empty()) out.response_sha256 = evidence::Sha256Hex(reply.response_body);
  return out;
}

std::optional<std::string> PieceOf(const ArmOutput& output, std::size_t index) {
  if (index >= output.logprobs.size() || index >= output.tokens.size()) return std::nullopt;
  for (const backend::TopToken& top : output.logprobs[index].top) {
    if (top.id == output.tokens[index] && !top.bytes.empty()) return EscapePiece(top.bytes);
  }
  return std::nullopt;
}

std::string EscapePiece(const std::string& bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\\') {
      out += "\\\\";
    } else if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

}  // namespace helix::equivalence
