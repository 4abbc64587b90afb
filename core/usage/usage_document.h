// Every reply in a file: one JSON reply, a stream, a trace, a pair, JSON lines, a session log, Prometheus
// text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/usage/usage.h"

namespace helix::usage {

struct UsageDocument {
  std::vector<Reply> replies;  // in file order, at least one
  bool several = false;        // the file is a list of replies (trace, pair, log), even when it holds one
  std::size_t repeated = 0;    // lines that repeated a reply already counted

  [[nodiscard]] const Reply& last() const { return replies.back(); }
};

// The form is recognised from the bytes. `provider`: one of ProviderNames(), or empty.
// kParse: neither JSON, a stream nor metrics text; kProtocol: a compressed body (its usage cannot be read,
// which is not the same as none); kInvalidArgument: an unknown provider name. A broken part makes the whole
// file an error.
Result<UsageDocument> ReadUsageDocument(std::string_view text, const std::string& provider = {});

// The normal form of the last reply, and all of them under "replies" when the file is a list.
Json ToJson(const UsageDocument& document);

}  // namespace helix::usage
