#include "core/tracks/track_b/repeat_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tracks/track_b/plan_text.h"

namespace helix::tracks {
namespace {

using Arm = PlannedCall::Arm;

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kFewestLines = 6;
constexpr std::size_t kAsked = 3;
constexpr std::size_t kLineLength = 40;  // with the words between two lines

struct Needles {
  std::string text;
  std::string question;
  std::string answer;
};

std::string Digits(SplitMix64& random) {
  const std::string text = std::to_string(random.Below(100'000));
  return std::string(5 - text.size(), '0') + text;
}

// Key lines all over the text, so that a wrong part of the cache is asked for by some prompt.
Needles MakeNeedles(SplitMix64& random, std::size_t characters) {
  Needles out;
  out.text = "Each line with an equals sign names a key and its value. Answer from these lines.\n";
  const std::size_t lines = std::clamp(characters / kLineLength, kFewestLines, kMostLines);
  std::vector<std::pair<std::string, std::string>> keys;
  for (std::size_t i = 0; i < lines; ++i) {
    keys.emplace_back("KEY-" + std::to_string(i) + Digits(random), Digits(random));
    out.text += keys.back().first + " = " + keys.back().second + "\n";
    const std::size_t due = characters * (i + 1) / lines;
    if (out.text.size() + 1 < due) out.text += FillerWords(random, due - out.text.size() - 1) + "\n";
  }
  random.Shuffle(keys);
  out.question = "Give the values of ";
  for (std::size_t i = 0; i < kAsked; ++i) {
    out.question += (i == 0 ? "" : i + 1 == kAsked ? " and " : ", ") + keys[i].first;
    out.answer += (i == 0 ? "" : " ") + keys[i].second;
  }
  out.question += ", in this order, one a line. Then count upwards from " +
                  std::to_string(random.Below(900)) + " by one, a number a line and nothing else.";
  return out;
}

class Planner {
 public:
  Planner(const RepeatOptions& repeats, const TrackBOptions& options)
      : repeats_(repeats), options_(options), random_(repeats.seed) {}

  std::vector<PlannedCall> Plan() {
    const auto characters =
        static_cast<std::size_t>(std::lround(repeats_.prefix_tokens * options_.chars_per_token));
    for (int prompt = 0; prompt < repeats_.prompts; ++prompt) {
      needles_ = MakeNeedles(random_, characters);
      for (int i = 0; i < repeats_.repeats; ++i) Repeat(prompt * repeats_.repeats + i);
    }
    return std::move(calls_);
  }

 private:
  void Repeat(int pair) {
    const bool cold_first = random_.Below(2) == 0;
    if (cold_first) Cold(pair);
    Warm(pair);
    if (!cold_first) Cold(pair);
  }

  PlannedCall Call(Arm arm, int pair) const {
    PlannedCall call;
    call.arm = arm;
    call.pair = pair;
    call.answer = needles_.answer;
    call.request.model = options_.model;
    call.request.prefix = needles_.text;
    call.request.turns = {{"user", needles_.question}};
    call.request.output_tokens = repeats_.output_tokens;
    call.request.temperature = repeats_.temperature;
    return call;
  }

  void Cold(int pair) {
    PlannedCall call = Call(Arm::kCold, pair);
    call.request.salt = Salt();
    if (repeats_.cold == ColdMeans::kSwitch) call.request.cache_prompt = false;
    calls_.push_back(std::move(call));
  }

  void Warm(int pair) {
    PlannedCall warm = Call(Arm::kWarm, pair);
    warm.request.salt = Salt();
    warm.request.marked = true;
    PlannedCall prime = warm;
    prime.arm = Arm::kPrime;
    prime.answer.clear();
    prime.request.turns = {{"user", "Say that you are ready."}};
    prime.request.output_tokens = 1;
    if (repeats_.cold == ColdMeans::kSwitch) {
      prime.request.cache_prompt = false;
      warm.request.cache_prompt = true;
    }
    calls_.push_back(std::move(prime));
    calls_.push_back(std::move(warm));
  }

  // Empty where the arms can be told apart without changing the prompt.
  std::string Salt() {
    if (repeats_.cold != ColdMeans::kSalt) return {};
    std::string salt = SaltWords(random_, last_);
    last_ = salt.substr(0, 1);
    return salt;
  }

  const RepeatOptions& repeats_;
  const TrackBOptions& options_;
  SplitMix64 random_;
  Needles needles_;
  std::string last_;
  std::vector<PlannedCall> calls_;
};

constexpr std::array<std::pair<ColdMeans, const char*>, 3> kNames = {
    {{ColdMeans::kUnmarked, "unmarked"}, {ColdMeans::kSwitch, "switch"}, {ColdMeans::kSalt, "salt"}}};

}  // namespace

const char* ColdMeansName(ColdMeans means) {
  for (const auto& [value, name] : kNames) {
    if (value == means) return name;
  }
  return "salt";
}

std::optional<ColdMeans> ColdMeansFromName(const std::string& name) {
  for (const auto& [value, known] : kNames) {
    if (name == known) return value;
  }
  return std::nullopt;
}

std::optional<RepeatOptions> RepeatProfile(const std::string& name) {
  RepeatOptions out;
  out.profile = name;
  if (name == "quick") return out;
  out.repeats = 4;
  if (name != "standard" && name != "thorough") return std::nullopt;
  out.prompts = name == "standard" ? 25 : 59;
  return out;
}

Status CheckRepeats(const RepeatOptions& o) {
  if (o.prompts < 2 || o.prompts > 1000)
    return Fail(ErrorCode::kInvalidArgument, "prompts must be 2 to 1000",
                "25 make a statement worth reading");
  if (o.repeats < 2 || o.repeats > 9) return Fail(ErrorCode::kInvalidArgument, "repeats must be 2 to 9");
  if (o.output_tokens < 16 || o.output_tokens > 4096)
    return Fail(ErrorCode::kInvalidArgument, "output_tokens must be 16 to 4096");
  if (o.prefix_tokens < 64 || o.prefix_tokens > 200'000)
    return Fail(ErrorCode::kInvalidArgument, "prefix_tokens must be 64 to 200000");
  return {};
}

std::vector<PlannedCall> PlanRepeats(const RepeatOptions& repeats, const TrackBOptions& options) {
  return Planner(repeats, options).Plan();
}

Json PlanJson(const RepeatOptions& repeats, const TrackBOptions& options) {
  Json out = {{"mode", "statistical"},
              {"profile", repeats.profile},
              {"seed", repeats.seed},
              {"prompts", repeats.prompts},
              {"repeats", repeats.repeats},
              {"prefix_tokens", repeats.prefix_tokens},
              {"chars_per_token", options.chars_per_token},
              {"output_tokens", repeats.output_tokens},
              {"cold_means", ColdMeansName(repeats.cold)},
              {"model", options.model}};
  out["temperature"] = repeats.temperature ? Json(*repeats.temperature) : Json(nullptr);
  return out;
}

}  // namespace helix::tracks
