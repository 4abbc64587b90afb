#include "core/consistency/history_change.h"

#include <optional>
#include <string>
#include <vector>

#include "core/consistency/history_blocks.h"
#include "core/consistency/history_moves.h"
#include "core/consistency/volatile_text.h"

namespace helix::consistency {
namespace {

using Blocks = std::vector<Block>;

const Block* BlockAtDifference(const Blocks& blocks, std::size_t at) {
  return at < blocks.size() ? &blocks[at] : nullptr;
}

bool SystemRole(const Block* block) {
  return block && (block->role == "system" || block->role == "developer");
}

std::optional<Cause> TextCause(const Block* a, const Block* b) {
  if (!a || !b || a->role != b->role || a->kind != BlockKind::kText || b->kind != BlockKind::kText)
    return std::nullopt;
  if (a->role == "assistant") return std::nullopt;
  const auto change = ExplainTextChange(a->Text(), b->Text());
  if (!change || change->cause.detector == "counter") return std::nullopt;
  return change->cause;
}

// The last marked block of a is the one that changed, and it is of the kind that a client renews or drops
// every turn.
bool MarkedReminder(const Blocks& a, const Blocks& b, std::size_t at) {
  const Block* block = BlockAtDifference(a, at);
  if (!block || !block->breakpoint || block->message != a.back().message) return false;
  if (SystemRole(block) && block->message == 0) return false;
  const Block* other = BlockAtDifference(b, at);
  const bool dropped =
      at > 0 && a[at - 1].message == block->message && (!other || other->message != block->message);
  return SystemRole(block) || IsReminder(block->Text()) || dropped || TextCause(block, other).has_value();
}

// "uuid", "clock", ... for a field that is made anew each time, such as the id of a tool call.
std::string FieldDetector(const Divergence& at) {
  if (!at.a || !at.b || !at.a->is_string() || !at.b->is_string()) return "";
  const auto change =
      ExplainTextChange(at.a->get_ref<const std::string&>(), at.b->get_ref<const std::string&>());
  return change ? change->cause.detector : "";
}

Cause Rewritten(const Blocks& a, const Blocks& b, std::size_t at, const Divergence& field) {
  const Block* left = BlockAtDifference(a, at);
  const Block* right = BlockAtDifference(b, at);
  if (SystemRole(left) && left->message == 0)
    return {"SYSTEM_CHANGED", "", "the leading system message was edited"};
  if (SystemRole(right) && right->message == 0)
    return {"SYSTEM_CHANGED", "", "a leading system message was added"};
  const std::string detector = FieldDetector(field);
  return {"HISTORY_REWRITTEN", detector.empty() ? DescribeRewrite(a, b, at) : detector,
          "message " +
              std::to_string(left    ? left->message
                             : right ? right->message
                                     : 0) +
              " of the earlier request is not sent again as it was"};
}

}  // namespace

Cause ExplainHistoryChange(const RequestBody& a, const RequestBody& b, const Divergence& at) {
  const Json* left = a.Get(Part::kMessages);
  const Json* right = b.Get(Part::kMessages);
  if (!left || !right) return {"HISTORY_REWRITTEN", "", "one of the requests has no messages"};
  const Blocks in_a = BlocksOf(*left);
  const Blocks in_b = BlocksOf(*right);
  if (auto cause = ExplainForm(in_a, in_b, at.index)) return *cause;
  const std::size_t first = FirstDifferentBlock(in_a, in_b);
  if (auto cause = ExplainOrder(in_a, in_b, first)) return *cause;
  const Block* block_a = BlockAtDifference(in_a, first);
  const Block* block_b = BlockAtDifference(in_b, first);
  if (MarkedReminder(in_a, in_b, first))
    return {"BREAKPOINT_ON_VOLATILE", "breakpoint",
            "the last cache_control of the earlier request stands on a block that is not sent again in its "
            "place"};
  if (auto cause = ExplainMove(in_a, in_b, first)) return *cause;
  if (auto cause = TextCause(block_a, block_b)) return *cause;
  return Rewritten(in_a, in_b, first, at);
}

}  // namespace helix::consistency
