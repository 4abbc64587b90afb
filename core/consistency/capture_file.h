// Captures in the format "helix.capture/1": one exchange a line (docs/diagnosis.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/usage/usage.h"

namespace helix::consistency {

struct CapturedExchange {
  std::string path;
  std::string started_at;
  Json request;          // the request body
  std::string response;  // the response body as text
  int status = 0;
  bool complete = false;
  std::optional<double> ttfb_ms;
};

// True when the text's first line is of this format.
bool IsCapture(std::string_view text);
// Exchanges with a JSON request body, in file order. kParse names the line that is not as it should be. A last line
// without its end (a capture that is being written, or was cut) is left out when `torn` is given, and set there.
Result<std::vector<CapturedExchange>> ReadCapture(std::string_view text, bool* torn = nullptr);
// What the response reports; nullopt when it carries no usage.
std::optional<usage::Reply> ReplyOf(const CapturedExchange& exchange);

}  // namespace helix::consistency
