// Small pieces of HTTP's grammar, and the text of a request.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace helix::net {

struct HttpRequest;

std::string LowerCase(std::string text);
std::string TrimBlanks(const std::string& text);  // spaces and tabs at both ends
// Token characters of RFC 9110 only, and not empty.
bool IsHeaderName(std::string_view name);
// All digits of the base (10 or 16), no sign, fits 63 bits.
std::optional<std::uint64_t> ParseNumber(std::string_view digits, int base);
// The values of one header joined with ", "; empty when absent.
std::string JoinedHeader(const std::multimap<std::string, std::string>& headers, const std::string& name);
// Whether a comma-separated list has the item; both in lower case.
bool ListHas(std::string_view list, std::string_view item);
// Bytes outside printable ASCII become '?': what a server sends must not reach a terminal as it is.
std::string Printable(std::string_view text);

// The bytes to send. kInvalidArgument when the method, the path or a header would break the framing (control
// characters, spaces in the path) or a header is one that the client sets itself. The error never shows a
// value.
Result<std::string> RequestText(const HttpRequest& request, const std::string& host_header);

}  // namespace helix::net
