#include "core/experiment/text_source.h"

#include <array>
#include <string_view>

namespace helix::experiment {
namespace {

constexpr std::array<std::string_view, 96> kWords = {
    "account", "agent",   "answer",  "array",   "branch", "buffer",  "build",  "cache",  "change",  "check",
    "client",  "cloud",   "code",    "column",  "commit", "copy",    "count",  "cursor", "daily",   "data",
    "delay",   "deploy",  "disk",    "draft",   "edge",   "editor",  "empty",  "error",  "event",   "export",
    "failure", "field",   "file",    "filter",  "finish", "folder",  "format", "garden", "graph",   "group",
    "handle",  "harbour", "header",  "history", "image",  "index",   "input",  "island", "journal", "kernel",
    "kitchen", "label",   "ledger",  "letter",  "limit",  "listen",  "market", "memory", "merge",   "metric",
    "module",  "morning", "network", "number",  "object", "office",  "order",  "output", "packet",  "parser",
    "path",    "planet",  "pocket",  "policy",  "prefix", "profile", "query",  "quiet",  "random",  "record",
    "release", "report",  "river",   "rocket",  "sample", "schema",  "season", "server", "signal",  "socket",
    "stream",  "summer",  "table",   "thread",  "ticket", "window"};

}  // namespace

std::string TextSource::Text(std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 128);
  while (text.size() < bytes) {
    const std::uint64_t words = 5 + random_.Below(9);
    for (std::uint64_t i = 0; i < words; ++i) {
      std::string word(kWords[random_.Below(kWords.size())]);
      if (i == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
      if (i > 0) text += ' ';
      text += word;
      if (random_.Below(12) == 0) text += ' ' + std::to_string(random_.Below(10'000));
    }
    text += random_.Below(6) == 0 ? ".\n" : ". ";
  }
  return text;
}

}  // namespace helix::experiment
