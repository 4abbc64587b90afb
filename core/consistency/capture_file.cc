#include "core/consistency/capture_file.h"

#include <utility>

#include "core/base/json_fields.h"
#include "core/usage/usage_document.h"

namespace helix::consistency {
namespace {

constexpr std::string_view kFormat = "helix.capture/1";

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

CapturedExchange FromJson(const Json& line) {
  CapturedExchange exchange;
  exchange.path = StringAt(line, "request/path").value_or("");
  exchange.started_at = StringAt(line, "started_at").value_or("");
  exchange.status = static_cast<int>(IntAt(line, "response/status").value_or(0));
  exchange.complete = BoolAt(line, "complete").value_or(false);
  exchange.ttfb_ms = NumberAt(line, "ttfb_ms");
  if (const Json* body = FindPath(line, "request/body")) exchange.request = *body;
  if (const Json* body = FindPath(line, "response/body")) {
    exchange.response = DumpJson(*body);
  } else {
    exchange.response = StringAt(line, "response/body_text").value_or("");
  }
  return exchange;
}

}  // namespace

bool IsCapture(std::string_view text) {
  const std::string_view line = FirstLine(text);
  if (line.find(kFormat) == std::string_view::npos) return false;  // a cheap look at what may be a long line
  const auto value = ParseJson(line);
  return value && StringAt(*value, "capture") == std::string(kFormat);
}

Result<std::vector<CapturedExchange>> ReadCapture(std::string_view text, bool* torn) {
  std::vector<CapturedExchange> exchanges;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    const bool whole = end != std::string_view::npos;
    if (!whole) end = text.size();
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    auto value = ParseJson(line);
    if (!value && !whole && torn != nullptr) {
      *torn = true;
      break;
    }
    if (!value || StringAt(*value, "capture") != std::string(kFormat))
      return Fail(ErrorCode::kParse,
                  "line " + std::to_string(number) + " is no exchange of the format " + std::string(kFormat),
                  "use a file that `record` wrote");
    CapturedExchange exchange = FromJson(*value);
    if (exchange.request.is_object()) exchanges.push_back(std::move(exchange));
  }
  return exchanges;
}

std::optional<usage::Reply> ReplyOf(const CapturedExchange& exchange) {
  if (exchange.response.empty()) return std::nullopt;
  auto document = usage::ReadUsageDocument(exchange.response);
  if (!document || document->last().shape.empty()) return std::nullopt;
  return document->last();
}

}  // namespace helix::consistency
