// A toy server whose replies are changed before they are seen: a fake for what servers and gateways get wrong
// about themselves.
#pragma once
#include <functional>
#include <utility>

#include "tests/fakes/toy_backend.h"

namespace helix::fakes {

using Lie = std::function<void(const backend::GenerateRequest&, backend::GenerateReply&)>;

class LyingBackend : public ToyBackend {
 public:
  LyingBackend(ToyOptions options, Lie lie) : ToyBackend(std::move(options)), lie_(std::move(lie)) {}

  Result<backend::GenerateReply> Generate(const backend::GenerateRequest& request,
                                          const RunContext& context) override {
    auto reply = ToyBackend::Generate(request, context);
    if (reply) lie_(request, *reply);
    return reply;
  }

 private:
  Lie lie_;
};

}  // namespace helix::fakes
