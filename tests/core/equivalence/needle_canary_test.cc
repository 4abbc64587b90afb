#include "core/equivalence/needle_canary.h"

#include <gtest/gtest.h>

namespace helix::equivalence {
namespace {

// A fake model that reads: asked "KEY-12345 =", it answers with what stands behind that key in its prompt.
class Reader : public backend::Backend {
 public:
  bool reads = true;
  bool phantom_hits = false;  // claims the prefix from the cache, but its content is gone

  Result<backend::Identity> Identify(const RunContext&) override { return backend::Identity{}; }
  [[nodiscard]] backend::Capabilities capabilities() const override { return {}; }
  Result<std::vector<TokenId>> Tokenize(const std::string& text, bool, const RunContext&) override {
    return std::vector<TokenId>(text.begin(), text.end());
  }
  Result<backend::GenerateReply> Generate(const backend::GenerateRequest& request,
                                          const RunContext&) override {
    const std::string prompt(request.prompt.begin(), request.prompt.end());
    backend::GenerateReply reply;
    reply.text = " I cannot say";
    const std::string question = prompt.substr(prompt.rfind("KEY-"));
    const std::size_t line = prompt.find(question);
    const bool evicted = phantom_hits && request.use_cache;
    if (reads && !evicted && line + question.size() < prompt.size())
      reply.text = prompt.substr(line + question.size(), 6);
    reply.tokens.assign(reply.text.begin(), reply.text.end());
    return reply;
  }
  Status WaitIdle(Millis, const RunContext&) override { return {}; }
  Result<Json> Metrics(const RunContext&) override { return Fail(ErrorCode::kUnavailable, "none"); }
  [[nodiscard]] std::string boot_id() const override { return "reader"; }
};

CanaryResult Ask(Reader& reader, bool synthetic = false) {
  const RunContext context;
  backend::Identity identity;
  identity.synthetic_weights = synthetic;
  ArmRunner runner(reader, {}, context);
  return RunNeedleCanary(reader, runner, identity, 1).value();
}

TEST(NeedleCanary, FindsWhatStandsInTheCachedPrefix) {
  Reader reader;
  const CanaryResult result = Ask(reader);
  EXPECT_EQ(result.status, CanaryStatus::kFound) << result.detail;
  EXPECT_EQ(result.found_cached, 3);
}

TEST(NeedleCanary, NoticesAPrefixWhoseContentIsGone) {
  Reader reader;
  reader.phantom_hits = true;
  const CanaryResult result = Ask(reader);
  EXPECT_EQ(result.status, CanaryStatus::kWrong);
  EXPECT_EQ(result.found_cached, 0);
  EXPECT_EQ(result.found_fresh, 3);
}

TEST(NeedleCanary, DoesNotApplyToAModelThatCannotRead) {
  Reader reader;
  reader.reads = false;
  EXPECT_EQ(Ask(reader).status, CanaryStatus::kNotApplicable);
  reader.reads = true;
  EXPECT_EQ(Ask(reader, true).status, CanaryStatus::kNotApplicable);
}

}  // namespace
}  // namespace helix::equivalence
