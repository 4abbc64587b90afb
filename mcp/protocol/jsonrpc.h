// JSON-RPC 2.0 messages: reading one, writing one.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace helix::mcp {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingClientCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
inline constexpr int kResourceNotFound = -32002;  // revisions before 2026-07-28

struct RpcError {
  int code = kInternalError;
  std::string message;
  Json data;  // null: left out
};

enum class MessageKind {
  kRequest,
  kNotification,
  kResponse,  // to a request of ours
  kBatch,
  kInvalid,  // `error` says why; `id` is what could be made out, or "null"
};

struct Message {
  MessageKind kind = MessageKind::kInvalid;
  Json body;
  std::string method;
  std::string id = "null";  // the id's own text, to be echoed as it came
  RpcError error;

  // The params object, or an empty one.
  [[nodiscard]] const Json& Params() const;
};

// Reads one message. Never throws. Text that is not UTF-8 is invalid, but its id is still found where that
// works, so that the caller is not left waiting.
Message ReadMessage(std::string_view text);
// The same for a part of a batch.
Message ReadMessage(Json body, std::string_view text);

// The key under which two spellings of one id are the same.
std::string IdKey(const Json& id, std::string_view raw);

std::string ResultText(std::string_view id, std::string_view result);
std::string ErrorText(std::string_view id, const RpcError& error);
std::string RequestText(std::string_view id, std::string_view method, const Json& params);
std::string NotificationText(std::string_view method, const Json& params);

}  // namespace helix::mcp
