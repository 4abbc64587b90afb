#include "core/experiment/shape.h"

namespace helix::experiment {
namespace {

constexpr int kLeastPrefix = 64;

struct Range {
  const char* name;
  int low;
  int high;
};
constexpr Range kPairs{"pairs", 2, 1000};
constexpr Range kPrefix{"prefix_tokens", kLeastPrefix, 1'000'000};
constexpr Range kNew{"new_tokens", 2,
                     100'000};  // one token alone would be computed in another way than a batch
constexpr Range kOutput{"output_tokens", 2, 100'000};

Status Override(const std::optional<int>& wanted, const Range& range, int& value) {
  if (!wanted) return {};
  if (*wanted < range.low || *wanted > range.high) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string("expected ") + range.name + " from " + std::to_string(range.low) + " to " +
                    std::to_string(range.high) + ", got " + std::to_string(*wanted));
  }
  value = *wanted;
  return {};
}

}  // namespace

Result<Shape> ShapeOf(std::string_view profile, const ShapeOverrides& overrides) {
  Shape shape;
  shape.profile = profile;
  if (profile == "standard") {
    shape.pairs = 12;
    shape.prefix_tokens = 1024;
  } else if (profile == "thorough") {
    shape.pairs = 30;
    shape.prefix_tokens = 2048;
  } else if (profile != "quick") {
    return Fail(ErrorCode::kInvalidArgument,
                "expected the profile quick, standard or thorough, got \"" + std::string(profile) + "\"");
  }
  HELIX_TRY(Override(overrides.pairs, kPairs, shape.pairs));
  HELIX_TRY(Override(overrides.prefix_tokens, kPrefix, shape.prefix_tokens));
  HELIX_TRY(Override(overrides.new_tokens, kNew, shape.new_tokens));
  HELIX_TRY(Override(overrides.output_tokens, kOutput, shape.output_tokens));
  return shape;
}

Result<FittedShape> FitToSlot(const Shape& shape, std::int64_t context_per_slot) {
  FittedShape fitted{shape, ""};
  const std::int64_t room = context_per_slot - shape.new_tokens - shape.output_tokens - 1;
  if (room >= shape.prefix_tokens) return fitted;
  if (room < kLeastPrefix) {
    return Fail(
        ErrorCode::kInvalidArgument,
        "expected a slot of at least " +
            std::to_string(kLeastPrefix + shape.new_tokens + shape.output_tokens + 1) +
            " tokens for this new turn and output, the server's slot holds " +
            std::to_string(context_per_slot),
        "start the server with a larger -c or fewer slots (-np), or ask for fewer new and output tokens");
  }
  fitted.shape.prefix_tokens = static_cast<int>(room);
  fitted.note = "The prefix was shortened from " + std::to_string(shape.prefix_tokens) + " to " +
                std::to_string(room) + " tokens: one slot of the server holds " +
                std::to_string(context_per_slot) + ".";
  return fitted;
}

}  // namespace helix::experiment
