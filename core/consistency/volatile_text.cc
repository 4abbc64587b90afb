#include "core/consistency/volatile_text.h"

#include <algorithm>
#include <string_view>

#include "core/consistency/clock_text.h"
#include "core/consistency/id_text.h"
#include "core/consistency/text_sections.h"

namespace helix::consistency {
namespace {

constexpr std::string_view kAttribution = "x-anthropic-billing-header";

std::size_t CommonPrefix(const std::string& a, const std::string& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at < shorter && a[at] == b[at]) ++at;
  return at;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// The line of each text from its start to its end, newline left out.
Span LineSpan(const std::string& text, std::size_t at) {
  const std::string_view line = LineAt(text, at);
  const auto begin = static_cast<std::size_t>(line.data() - text.data());
  return {begin, begin + line.size()};
}

// From the first difference to the last: what a section change replaces.
VolatileText Section(const std::string& verdict, const std::string& detector, const std::string& evidence,
                     const std::string& a, const std::string& b, std::size_t at) {
  std::size_t tail = 0;
  const std::size_t most = std::min(a.size(), b.size()) - at;
  while (tail < most && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return {{verdict, detector, evidence}, {at, a.size() - tail}, {at, b.size() - tail}};
}

std::optional<VolatileText> Attribution(const std::string& a, const std::string& b, std::size_t at) {
  const std::string line_a(LineAt(a, at));
  const std::string line_b(LineAt(b, at));
  if (!IsAttributionLine(line_a) && !IsAttributionLine(line_b)) return std::nullopt;
  return VolatileText{{"VOLATILE_ATTRIBUTION", "attribution",
                       "the client's attribution line differs between the two requests"},
                      LineSpan(a, at),
                      LineSpan(b, at)};
}

// True when the difference lies in the section in either text. A line added at the end of a section starts
// one byte after the newline.
bool Inside(bool (*in_section)(std::string_view, std::size_t), const std::string& a, const std::string& b,
            std::size_t at) {
  for (const std::string* text : {&a, &b}) {
    if (in_section(*text, at)) return true;
    if (at + 1 < text->size() && (*text)[at] == '\n' && in_section(*text, at + 1)) return true;
  }
  return false;
}

std::optional<VolatileText> Clock(const std::string& a, const std::string& b, std::size_t at) {
  const auto in_a = ClockAt(a, at);
  const auto in_b = ClockAt(b, at);
  if (!in_a || !in_b) return std::nullopt;
  const bool time = in_a->has_time || in_b->has_time;
  return VolatileText{{time ? "VOLATILE_TIMESTAMP" : "VOLATILE_DATE", time ? "clock" : "date",
                       time ? "a time of day differs" : "a date differs"},
                      in_a->span,
                      in_b->span};
}

std::optional<VolatileText> Identifier(const std::string& a, const std::string& b, std::size_t at) {
  const auto id = IdAt(a, b, at);
  if (!id) return std::nullopt;
  const bool counter = id->kind == "counter";
  return VolatileText{{counter ? "SYSTEM_CHANGED" : "VOLATILE_ID", id->kind,
                       counter ? "a number differs" : "a generated identifier differs (" + id->kind + ")"},
                      id->a,
                      id->b};
}

}  // namespace

bool IsAttributionLine(const std::string& text) {
  const std::string lower = Lower(std::string_view(text).substr(0, 400));
  return lower.find(kAttribution) != std::string::npos ||
         (lower.find("cc_version=") != std::string::npos && lower.find("cch=") != std::string::npos);
}

bool IsReminder(const std::string& text) {
  const std::string lower = Lower(std::string_view(text).substr(0, 4000));
  for (std::string_view mark : {"tokens left", "<total_tokens>", "<system-reminder>", "tokens remaining",
                                "nudge", "context left", "budget left", "todo list", "<new-diagnostics>"})
    if (lower.find(mark) != std::string::npos) return true;
  return false;
}

std::optional<VolatileText> ExplainTextChange(const std::string& a, const std::string& b) {
  const std::size_t at = CommonPrefix(a, b);
  if (at == a.size() && at == b.size()) return std::nullopt;
  if (auto found = Attribution(a, b, at)) return found;
  if (Inside(&InGitStatus, a, b, at))
    return Section("VOLATILE_GIT_STATUS", "git_status", "a snapshot of git's state differs", a, b, at);
  if (auto found = Clock(a, b, at)) return found;
  const auto id = Identifier(a, b, at);
  if (id && id->cause.detector != "counter") return id;
  if (Inside(&InEmbeddedFile, a, b, at))
    return Section("VOLATILE_EMBEDDED_FILE", "embedded_file", "the content of a file in the text differs", a,
                   b, at);
  return id;
}

}  // namespace helix::consistency
