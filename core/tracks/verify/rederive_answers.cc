#include "core/backend/stored_reply.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "core/experiment/sample.h"
#include "core/tracks/verify/rederive.h"

namespace helix::tracks {
namespace {

using analysis::VerifyStep;

constexpr const char* kName = "answers";

// nullopt: both are what the reply's bytes say.
std::optional<VerifyStep> CompareSample(const Json& sample, const std::string& where,
                                        const backend::GenerateReply& reply) {
  const auto text = StringAt(sample, "out/sha256");
  const std::string text_now = evidence::Sha256Hex(reply.text);
  if (text && *text != text_now) return VerifyStep::Broken(kName, where + "/out/sha256", *text, text_now);
  const auto tokens = StringAt(sample, "out/tokens_sha256");
  const std::string tokens_now =
      reply.has_token_ids ? experiment::TokensSha256(reply.tokens) : "no token ids";
  if (tokens && *tokens != tokens_now)
    return VerifyStep::Broken(kName, where + "/out/tokens_sha256", *tokens, tokens_now);
  return std::nullopt;
}

class Answers {
 public:
  explicit Answers(const evidence::ObjectStore& objects) : objects_(objects) {}

  // The reply behind a digest; broken() says why when there is none.
  std::optional<backend::GenerateReply> Read(const std::string& digest) {
    auto bytes = objects_.Get(digest);
    auto reply = bytes ? backend::ReadStoredLlamaReply(*bytes)
                       : Result<backend::GenerateReply>(tl::make_unexpected(bytes.error()));
    if (reply) return std::move(*reply);
    broken_ = VerifyStep::Broken(kName, digest, reply.error().message, "a finished completion");
    return std::nullopt;
  }
  [[nodiscard]] const VerifyStep& broken() const { return broken_; }

 private:
  const evidence::ObjectStore& objects_;
  VerifyStep broken_;
};

VerifyStep CheckSamples(const Json& samples, Answers& answers) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto digest = StringAt(samples[i], "raw_sha256");
    if (!digest || StringAt(samples[i], "status") != "ok") continue;
    const auto reply = answers.Read(*digest);
    if (!reply) return answers.broken();
    if (auto broken = CompareSample(samples[i], "/samples/" + std::to_string(i), *reply)) return *broken;
    ++compared;
  }
  return compared > 0 ? VerifyStep::Held(kName)
                      : VerifyStep::NotMade(kName, "no sample names a stored reply");
}

// The lists that "token_identical" rests on, each against the bytes it names.
VerifyStep CheckEquality(const Json& report, Answers& answers) {
  const char* name = "equality";
  const Json* pairs = FindPath(report, "equivalence/pairs");
  if (pairs == nullptr || !pairs->is_array() || pairs->empty())
    return VerifyStep::NotMade(name, "the report compares no token ids");
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    for (const char* side : {"cached", "fresh"}) {
      const std::string where = "/equivalence/pairs/" + std::to_string(i) + "/" + side;
      const Json* answer = Find((*pairs)[i], side);
      const auto digest = answer != nullptr ? StringAt(*answer, "raw_sha256") : std::nullopt;
      const Json* tokens = answer != nullptr ? Find(*answer, "tokens") : nullptr;
      if (!digest || tokens == nullptr)
        return VerifyStep::Broken(name, where, "no raw_sha256 or tokens", "the answer and its stored reply");
      const auto reply = answers.Read(*digest);
      if (!reply) return answers.broken();
      if (Json(reply->tokens) != *tokens)
        return VerifyStep::Broken(name, where + "/tokens", DumpJson(*tokens).substr(0, 120),
                                  DumpJson(Json(reply->tokens)).substr(0, 120));
    }
  }
  return VerifyStep::Held(name);
}

}  // namespace

Steps RederiveAnswers(const Json& report, const evidence::ObjectStore& objects) {
  const auto kind = StringAt(report, "backend/kind").value_or("nothing");
  // Track B asks a llama-server through another protocol.
  if (kind != "llama-server" || Find(report, "track_b") != nullptr)
    return {VerifyStep::NotMade(kName, "token ids are read from replies of llama-server's own route only")};
  const Json* samples = Find(report, "samples");
  if (samples == nullptr || !samples->is_array()) return {VerifyStep::NotMade(kName, "there are no samples")};
  Answers answers(objects);
  return {CheckSamples(*samples, answers), CheckEquality(report, answers)};
}

}  // namespace helix::tracks
