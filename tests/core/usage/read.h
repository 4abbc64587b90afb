// Short ways to read a reply in these tests.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "core/base/json_fields.h"
#include "core/usage/usage_document.h"

namespace helix::usage {

// The normal form of the last reply; an object with "failed" when the text cannot be read.
inline Json ReadText(const std::string& text, const std::string& provider = {}) {
  auto document = ReadUsageDocument(text, provider);
  if (!document) return Json{{"failed", document.error().Text()}};
  return ToJson(*document);
}

// The same for a bare usage object: {"usage": <usage>}.
inline Json ReadUsageObject(const std::string& usage) {
  return ReadText("{\"usage\":" + usage + "}");
}

inline bool HasFlag(const Json& form, const std::string& flag) {
  const Json* flags = Find(form, "flags");
  if (flags == nullptr) return false;
  for (const auto& each : *flags) {
    if (each == flag) return true;
  }
  return false;
}

// An event of Anthropic's stream.
inline std::string Sse(const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + (rest.empty() ? "" : "," + rest) + "}\n\n";
}

inline std::string Start(const std::string& usage) {
  return Sse("message_start", R"("message":{"id":"msg_1","model":"m","usage":)" + usage + "}");
}
inline std::string Text(const std::string& text) {
  return Sse("content_block_delta", R"("index":0,"delta":{"type":"text_delta","text":")" + text + "\"}");
}
inline std::string Delta(const std::string& usage) {
  return Sse("message_delta", R"("delta":{"stop_reason":"end_turn"},"usage":)" + usage);
}
inline std::string Stop() {
  return Sse("message_stop", "");
}

}  // namespace helix::usage
