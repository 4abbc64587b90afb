// One function per shape. Lengths are shares of the context, so that every shape fits every server.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/random.h"
#include "core/experiment/traffic.h"

namespace helix::experiment {
namespace {

constexpr std::size_t kSmallestAlphabet = 16;
constexpr int kSmallestContext = 512;

class Draw {
 public:
  Draw(const TrafficSizes& sizes, const std::vector<TokenId>& alphabet, std::uint64_t seed)
      : sizes_(sizes), alphabet_(alphabet), random_(seed) {}

  std::vector<TokenId> Tokens(int count) {
    std::vector<TokenId> tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(alphabet_[random_.Below(alphabet_.size())]);
    return tokens;
  }
  // An id that stands nowhere else: another one than `id`.
  TokenId Other(TokenId id) {
    TokenId other = id;
    while (other == id) other = alphabet_[random_.Below(alphabet_.size())];
    return other;
  }
  int Between(int low, int high) {
    return low + static_cast<int>(random_.Below(static_cast<std::uint64_t>(high - low + 1)));
  }
  // Log-normal by its median, cut to [1, most].
  int LogNormal(double median, double sigma, int most) {
    const double radius = std::sqrt(-2 * std::log(1 - random_.Unit()));
    const double normal = radius * std::cos(2 * std::numbers::pi * random_.Unit());
    return std::clamp(static_cast<int>(median * std::exp(sigma * normal)), 1, most);
  }
  [[nodiscard]] int Part(int n) const { return sizes_.context / n; }
  [[nodiscard]] const TrafficSizes& sizes() const { return sizes_; }

 private:
  const TrafficSizes& sizes_;
  const std::vector<TokenId>& alphabet_;
  SplitMix64 random_;
};

std::vector<TokenId> Joined(std::vector<TokenId> first, const std::vector<TokenId>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TrafficStep Whole(int session, std::vector<TokenId> prompt, std::string note) {
  TrafficStep step;
  step.session = session;
  step.tokens = std::move(prompt);
  step.note = std::move(note);
  return step;
}

TrafficStep Next(int session, std::vector<TokenId> added, int output, std::string note) {
  TrafficStep step = Whole(session, std::move(added), std::move(note));
  step.carries_on = true;
  step.output_tokens = output;
  return step;
}

void Repeat(Draw& draw, Traffic& traffic) {
  traffic.shows = "the best case, and that one token is always computed again";
  const auto prompt = draw.Tokens(draw.Part(4));
  for (int i = 0; i < 4; ++i) traffic.steps.push_back(Whole(0, prompt, i == 0 ? "first" : "the same again"));
}

void SharedSystem(Draw& draw, Traffic& traffic) {
  traffic.shows = "one system text and tools, many single questions";
  const auto system = draw.Tokens(draw.Part(4));
  for (int i = 0; i < 6; ++i)
    traffic.steps.push_back(Whole(
        0, Joined(system, draw.Tokens(draw.Between(50, std::min(500, draw.Part(4))))), "another question"));
}

// Steps of one conversation until the context is used up.
void Converse(Draw& draw, Traffic& traffic, int steps, int session, int system, double median_result,
              double sigma, int output) {
  int length = system;
  traffic.steps.push_back(Whole(session, draw.Tokens(system), "first turn"));
  traffic.steps.back().output_tokens = output;
  for (int i = 1; i < steps; ++i) {
    const int added = draw.LogNormal(median_result, sigma, draw.Part(6));
    length += output + added;
    if (length + output + 1 >= draw.sizes().context) return;
    traffic.steps.push_back(Next(session, draw.Tokens(added), output, "next turn"));
  }
}

void AgentLoop(Draw& draw, Traffic& traffic) {
  traffic.shows = "an agent's history that only grows: tool results of very different lengths, short answers";
  Converse(draw, traffic, 12, 0, draw.Part(6), std::min(400, draw.Part(12)), 1, 16);
}

void Chat(Draw& draw, Traffic& traffic) {
  traffic.shows = "short questions and long answers: the answers are resident too, but for their last token";
  Converse(draw, traffic, 6, 0, draw.Part(16), 40, 0.5, std::min(350, draw.Part(12)));
}

void Tree(Draw& draw, Traffic& traffic) {
  traffic.shows = "one history with several continuations, as parallel calls and best-of-n make it";
  const auto history = draw.Tokens(draw.Part(3));
  traffic.steps.push_back(Whole(0, history, "the history"));
  for (int i = 0; i < 5; ++i)
    traffic.steps.push_back(Whole(0, Joined(history, draw.Tokens(draw.Between(20, 120))), "a branch"));
  traffic.steps.push_back(Whole(0, history, "back to the history"));
}

void Interleaved(Draw& draw, Traffic& traffic) {
  traffic.shows = "more conversations than slots: each evicts the others";
  traffic.sessions = 3;
  for (int session = 0; session < 3; ++session)
    traffic.steps.push_back(Whole(session, draw.Tokens(draw.Part(8)), "first turn"));
  for (int turn = 0; turn < 2; ++turn)
    for (int session = 0; session < 3; ++session)
      traffic.steps.push_back(
          Next(session, draw.Tokens(draw.Between(30, 90)), 4, "next turn, others in between"));
}

void MutatedPrefix(Draw& draw, Traffic& traffic) {
  traffic.shows = "an agent loop with one defect at a time in what should be stable";
  const auto base = draw.Tokens(draw.Part(3));
  const auto size = static_cast<int>(base.size());
  auto grown = [&](std::vector<TokenId> prompt) { return Joined(std::move(prompt), draw.Tokens(40)); };
  auto changed = [&](int at) {
    auto prompt = base;
    prompt[static_cast<std::size_t>(at)] = draw.Other(prompt[static_cast<std::size_t>(at)]);
    return prompt;
  };
  const auto add = [&](std::vector<TokenId> prompt, const char* note) {
    traffic.steps.push_back(Whole(0, base, "the loop as it was"));
    traffic.steps.push_back(Whole(0, grown(std::move(prompt)), note));
  };
  add(base, "append-only: no defect");
  add(changed(30), "a clock at token 30");
  auto swapped = base;
  std::swap_ranges(swapped.begin() + size / 8, swapped.begin() + size / 4, swapped.begin() + size / 4);
  add(swapped, "two tools in another order");
  add(changed(size / 2), "the history edited in the middle");
  add({base.begin() + size / 5, base.end()}, "the front cut off");
  add(changed(0), "another first token");
}

void LongDocument(Draw& draw, Traffic& traffic) {
  traffic.shows = "one long document and several questions: the attention term";
  const auto document = draw.Tokens(draw.sizes().context * 3 / 4);
  for (int i = 0; i < 4; ++i)
    traffic.steps.push_back(Whole(0, Joined(document, draw.Tokens(draw.Between(20, 60))), "a question"));
}

void BlockEdges(Draw& draw, Traffic& traffic) {
  traffic.shows = "prefixes and lengths at a block's edge: off-by-one errors of granularity";
  const int block = draw.sizes().block;
  const int blocks = std::max(2, draw.Part(8) / block);
  const auto base = draw.Tokens(block * (blocks + 2));
  for (const int edge : {-1, 0, 1}) {
    const int length = block * blocks + edge;
    std::vector<TokenId> prefix(base.begin(), base.begin() + length);
    traffic.steps.push_back(Whole(0, prefix,
                                  "length block*k" + std::string(edge < 0 ? "-1"
                                                                 : edge   ? "+1"
                                                                          : "")));
    traffic.steps.push_back(Whole(0, prefix, "the same again"));
    auto other = prefix;
    for (int i = 0; i < block; ++i)
      other.push_back(draw.Other(base[static_cast<std::size_t>(length + (i % 2))]));
    traffic.steps.push_back(Whole(0, other, "shares exactly that prefix"));
  }
}

void Idle(Draw& draw, Traffic& traffic) {
  traffic.shows = "what is left after a restart: nothing";
  const auto prompt = draw.Tokens(draw.Part(4));
  traffic.steps.push_back(Whole(0, prompt, "first"));
  traffic.steps.push_back(Whole(0, prompt, "the same again"));
  traffic.steps.push_back(Whole(0, prompt, "the same after a restart"));
  traffic.steps.back().restarts_server = true;
  traffic.steps.push_back(Whole(0, prompt, "the same again"));
}

using Maker = void (*)(Draw&, Traffic&);
struct Named {
  const char* name;
  Maker make;
};
constexpr std::array<Named, 10> kShapes = {{{"repeat", &Repeat},
                                            {"shared_system", &SharedSystem},
                                            {"agent_loop", &AgentLoop},
                                            {"chat", &Chat},
                                            {"tree", &Tree},
                                            {"interleaved", &Interleaved},
                                            {"mutated_prefix", &MutatedPrefix},
                                            {"long_document", &LongDocument},
                                            {"block_edges", &BlockEdges},
                                            {"idle", &Idle}}};

}  // namespace

const std::vector<std::string>& TrafficNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Named& shape : kShapes) list.emplace_back(shape.name);
    return list;
  }();
  return names;
}

Result<Traffic> MakeTraffic(std::string_view name, const TrafficSizes& sizes,
                            const std::vector<TokenId>& alphabet, std::uint64_t seed) {
  if (alphabet.size() < kSmallestAlphabet)
    return Fail(ErrorCode::kInvalidArgument, "expected at least 16 different tokens to draw from");
  if (sizes.context < kSmallestContext || sizes.block < 1)
    return Fail(ErrorCode::kInvalidArgument,
                "expected a context of at least 512 tokens, got " + std::to_string(sizes.context),
                "start the server with a larger -c or fewer slots (-np)");
  std::uint64_t index = 0;
  for (const Named& shape : kShapes) {
    ++index;
    if (name != shape.name) continue;
    Traffic traffic;
    traffic.name = shape.name;
    Draw draw(sizes, alphabet, seed * kShapes.size() + index);
    shape.make(draw, traffic);
    return traffic;
  }
  return Fail(
      ErrorCode::kInvalidArgument, "no shape of traffic is called \"" + std::string(name) + "\"",
      "use repeat, shared_system, agent_loop, chat, tree, interleaved, mutated_prefix, long_document, "
      "block_edges or idle");
}

}  // namespace helix::experiment
