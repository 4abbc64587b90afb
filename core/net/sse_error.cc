#include "core/net/sse_error.h"

#include "core/base/json_fields.h"

namespace helix::net {
namespace {

std::string MessageOf(const Json& error, const std::string& raw) {
  if (error.is_string()) return error.get_ref<const std::string&>();
  if (auto message = StringAt(error, "message")) return *message;
  return raw;
}

}  // namespace

Status SseErrorOf(const SseEvent& event) {
  bool typed = event.event == "error";
  // Most events hold a token: parsing each of them twice would show up in the client's own time.
  if (!typed && event.data.find("\"error\"") == std::string::npos) return {};
  auto parsed = ParseJson(event.data);
  const Json* error = parsed ? Find(*parsed, "error") : nullptr;
  bool named = error != nullptr && !error->is_null();
  if (!typed && !named) return {};
  std::string raw = event.data.substr(0, 500);
  const std::string message = named ? MessageOf(*error, raw) : (parsed ? MessageOf(*parsed, raw) : raw);
  return Fail(ErrorCode::kProtocol, "the server reported an error inside the stream: " + message);
}

}  // namespace helix::net
