#include "mcp/protocol/jsonrpc.h"

#include <cmath>

#include "core/base/json_fields.h"
#include "mcp/protocol/raw_member.h"

namespace helix::mcp {
namespace {

Message Invalid(int code, std::string why, std::string id = "null") {
  Message message;
  message.id = std::move(id);
  message.error = {code, std::move(why), nullptr};
  return message;
}

bool LegalId(const Json& id) {
  if (id.is_string() || id.is_number_integer()) return true;
  return id.is_number_float() && std::floor(id.get<double>()) == id.get<double>();
}

// An id as it came. Where the text shows another one than the parser read (a key that is escaped or there twice),
// the one that was read.
std::string IdText(std::string_view text, const Json& id) {
  const std::string_view raw = RawMember(text, "id");
  const auto read = ParseJson(raw);
  return read && *read == id ? std::string(raw) : DumpJson(id);
}

// Bytes that are not UTF-8 cannot be parsed, but their id can be read from a repaired copy.
Message Unreadable(std::string_view text, const std::string& why) {
  auto repaired = ParseJson(DumpJson(Json(std::string(text))));
  if (repaired && repaired->is_string() && repaired->get_ref<const std::string&>() != text) {
    const auto& copy = repaired->get_ref<const std::string&>();
    auto parsed = ParseJson(copy);
    const Json* id = parsed ? Find(*parsed, "id") : nullptr;
    if (id != nullptr && LegalId(*id) && parsed->contains("method")) {
      return Invalid(kParseError, "the message is not valid UTF-8", IdText(copy, *id));
    }
  }
  return Invalid(kParseError, "the message is not JSON: " + why);
}

}  // namespace

const Json& Message::Params() const {
  static const Json none = Json::object();
  const Json* params = Find(body, "params");
  return params != nullptr && params->is_object() ? *params : none;
}

Message ReadMessage(std::string_view text) {
  // Some writers put a byte order mark first. It is no part of the message, and the id is read from the text.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  auto parsed = ParseJson(text);
  if (!parsed) return Unreadable(text, parsed.error().message);
  return ReadMessage(std::move(*parsed), text);
}

Message ReadMessage(Json body, std::string_view text) {
  if (body.is_array()) {
    Message batch;
    batch.kind = MessageKind::kBatch;
    batch.body = std::move(body);
    return batch;
  }
  if (!body.is_object()) return Invalid(kInvalidRequest, "a message is a JSON object");
  Message message;
  const Json* id = Find(body, "id");
  if (id != nullptr) {
    if (!LegalId(*id)) return Invalid(kInvalidRequest, "an id is a string or an integer");
    message.id = IdText(text, *id);
  }
  const Json* method = Find(body, "method");
  if (method == nullptr) {
    const bool answer = id != nullptr && (body.contains("result") || body.contains("error"));
    if (!answer) return Invalid(kInvalidRequest, "a message has a method", message.id);
    message.kind = MessageKind::kResponse;
  } else if (!method->is_string()) {
    return Invalid(kInvalidRequest, "method must be a string", message.id);
  } else {
    message.method = method->get<std::string>();
    message.kind = id != nullptr ? MessageKind::kRequest : MessageKind::kNotification;
  }
  const bool version = StringAt(body, "jsonrpc") == "2.0";
  const Json* params = Find(body, "params");
  const bool params_ok = params == nullptr || params->is_object();
  if (message.kind == MessageKind::kRequest && !version) {
    return Invalid(kInvalidRequest, "jsonrpc must be \"2.0\"", message.id);
  }
  if (message.kind == MessageKind::kRequest && !params_ok) {
    return Invalid(kInvalidParams, "params must be an object", message.id);
  }
  message.body = std::move(body);
  return message;
}

std::string IdKey(const Json& id, std::string_view raw) {
  return id.is_number_float() ? std::string(raw) : DumpJson(id);
}

std::string ResultText(std::string_view id, std::string_view result) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  text.reserve(text.size() + id.size() + result.size() + 16);
  text.append(id).append(R"(,"result":)").append(result).append("}");
  return text;
}

std::string ErrorText(std::string_view id, const RpcError& error) {
  Json body{{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  std::string text = R"({"jsonrpc":"2.0","id":)";
  return text.append(id).append(R"(,"error":)").append(DumpJson(body)).append("}");
}

std::string RequestText(std::string_view id, std::string_view method, const Json& params) {
  return DumpJson(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

std::string NotificationText(std::string_view method, const Json& params) {
  return DumpJson(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

}  // namespace helix::mcp
