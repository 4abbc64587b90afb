#include "mcp/protocol/paging.h"

#include <charconv>

#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

// "p" and the index of the first item; an empty cursor is the start.
Result<std::size_t> Start(const Json& params, std::size_t size) {
  const Json* cursor = Find(params, "cursor");
  if (cursor == nullptr || cursor->is_null()) return 0;
  const auto text = cursor->is_string() ? cursor->get<std::string>() : std::string("?");
  if (text.empty()) return 0;
  std::size_t start = 0;
  const char* end = text.data() + text.size();
  const auto [last, problem] = std::from_chars(text.data() + 1, end, start);
  if (text[0] != 'p' || problem != std::errc() || last != end || start == 0 || start >= size) {
    return Fail(ErrorCode::kInvalidArgument, "the cursor is not one that this server gave for this list",
                "ask again without a cursor");
  }
  return start;
}

}  // namespace

Result<Json> Page(const std::string& member, const std::vector<Json>& items, const Json& params,
                  std::size_t page_bytes) {
  auto start = Start(params, items.size());
  if (!start) return tl::make_unexpected(start.error());
  Json list = Json::array();
  std::size_t at = *start;
  for (std::size_t bytes = 0; at < items.size(); ++at) {
    bytes += DumpJson(items[at]).size() + 1;
    if (bytes > page_bytes && !list.empty()) break;
    list.push_back(items[at]);
  }
  Json page{{member, std::move(list)}};
  if (at < items.size()) page["nextCursor"] = "p" + std::to_string(at);
  return page;
}

}  // namespace helix::mcp
