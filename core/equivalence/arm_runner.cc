#include "core/equivalence/arm_runner.h"

#include "core/evidence/digest.h"

namespace helix::equivalence {

Result<Answer> ArmRunner::Send(backend::Backend& to, const std::vector<TokenId>& prompt, bool use_cache,
                               int output_tokens) {
  if (context_.Cancelled()) return Fail(ErrorCode::kCancelled, "the equivalence check was cancelled");
  backend::GenerateRequest request;
  request.prompt = prompt;
  request.use_cache = use_cache;
  request.output_tokens = output_tokens;
  request.slot = options_.slot;
  request.top_logprobs = options_.top_logprobs;
  auto reply = to.Generate(request, context_);
  if (!reply) return tl::make_unexpected(reply.error());
  Answer out;
  out.output = FromReply(*reply);
  out.request_sha256 = evidence::Sha256Hex(reply->request_body);
  if (!options_.evidence) return out;
  for (const std::string* body : {&reply->request_body, &reply->response_body}) {
    if (auto kept = options_.evidence(*body); !kept) return tl::make_unexpected(kept.error());
  }
  return out;
}

Result<Answer> ArmRunner::Ask(const std::vector<TokenId>& prompt, bool use_cache, int output_tokens) {
  return Send(backend_, prompt, use_cache, output_tokens);
}

Result<Answer> ArmRunner::AskOn(backend::Backend& other, const std::vector<TokenId>& prompt,
                                int output_tokens) {
  return Send(other, prompt, false, output_tokens);
}

Status ArmRunner::Prime(const std::vector<TokenId>& prime) {
  auto primed = Ask(prime, false, 1);
  if (!primed) return tl::make_unexpected(primed.error());
  return {};
}

Result<ArmAnswers> ArmRunner::Run(const ShapeCase& shape) {
  HELIX_TRY(Prime(shape.prime));
  auto cached = Ask(shape.prompt, true, shape.output_tokens);
  if (!cached) return tl::make_unexpected(cached.error());
  auto fresh = Ask(shape.prompt, false, shape.output_tokens);
  if (!fresh) return tl::make_unexpected(fresh.error());
  auto again = Ask(shape.prompt, false, shape.output_tokens);
  if (!again) return tl::make_unexpected(again.error());
  return ArmAnswers{*std::move(cached), *std::move(fresh), *std::move(again)};
}

}  // namespace helix::equivalence
