#include "core/backend/hosted_failure.h"

#include <charconv>
#include <ctime>

#include "core/base/json_fields.h"
#include "core/net/http_text.h"

namespace helix::backend {
namespace {

constexpr double kLongestWaitMs = 60'000;
constexpr std::size_t kLongestMessage = 300;

std::string MessageOf(const std::string& body) {
  auto json = ParseJson(body);
  if (!json) return net::Printable(std::string_view(body).substr(0, 80)) + " (not JSON)";
  for (const char* path : {"error/message", "message", "error"}) {
    if (auto text = StringAt(*json, path)) return net::Printable(text->substr(0, kLongestMessage));
  }
  return "no message";
}

bool IsSpendCap(const std::string& body) {
  auto json = ParseJson(body);
  if (!json) return false;
  auto code = StringAt(*json, "error/details/error_code");
  auto openai = StringAt(*json, "error/code");
  return code == "enforced_spend_limit_reached" || openai == "insufficient_quota" ||
         openai == "billing_hard_limit_reached";
}

std::string KindOf(int status) {
  switch (status) {
    case 401:
    case 403:
      return "authentication";
    case 402:
      return "billing";
    case 429:
      return "rate_limited";
    case 503:
    case 529:
      return "overloaded";
    default:
      return status >= 500 ? "server_error" : "refused";
  }
}

}  // namespace

std::optional<Millis> ParseRetryAfter(std::string_view value, std::int64_t now_epoch_s) {
  double seconds = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc{} && end == value.data() + value.size() && seconds >= 0)
    return Millis(seconds * 1000);
  std::tm date{};
  const std::string text(value);
  const char* parsed = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (parsed == nullptr || *parsed != '\0') return std::nullopt;
  auto wait = static_cast<double>(timegm(&date) - now_epoch_s);
  return Millis(wait > 0 ? wait * 1000 : 0);
}

HttpFailure ReadHttpFailure(const net::HttpResponse& response, const std::string& body,
                            std::int64_t now_epoch_s) {
  HttpFailure failure{KindOf(response.status), MessageOf(body), false, Millis{0}};
  if (response.status == 429 && IsSpendCap(body)) {
    failure.kind = "spend_cap";
    return failure;
  }
  if (failure.kind != "rate_limited" && failure.kind != "overloaded") return failure;
  auto wait = ParseRetryAfter(net::JoinedHeader(response.headers, "retry-after"), now_epoch_s);
  failure.wait = wait.value_or(Millis{1000});
  failure.retry = failure.wait.count() <= kLongestWaitMs;
  return failure;
}

}  // namespace helix::backend
