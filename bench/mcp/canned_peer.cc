// The least an MCP server over stdio can do: it copies the request's id into a fixed reply and parses
// nothing. bench/mcp/compare.mjs measures helix-perf-cache against it; a difference to it is the price of
// real parsing. A fake by intent: it answers every request the same way.
#include <unistd.h>

#include <string>
#include <string_view>

namespace {

constexpr std::string_view kInitialized =
    R"("result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"canned","version":"0"}}})";
constexpr std::string_view kEmpty = R"("result":{}})";

// Appends the reply to one line to `out`; a line without an id is a notification and gets none.
void Answer(std::string_view line, std::string& out) {
  constexpr std::string_view kId = "\"id\":";
  const std::size_t start = line.find(kId);
  if (start == std::string_view::npos) return;
  const std::size_t from = start + kId.size();
  const std::size_t to = line.find_first_of(",}", from);
  out.append(R"({"jsonrpc":"2.0","id":)").append(line.substr(from, to - from)).append(",");
  out.append(line.find("\"initialize\"") != std::string_view::npos ? kInitialized : kEmpty).append("\n");
}

bool WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

int main() {
  std::string input;
  char piece[1 << 16];
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
    if (got <= 0) return got == 0 ? 0 : 1;
    input.append(piece, static_cast<std::size_t>(got));
    std::string out;
    std::size_t from = 0;
    for (std::size_t end; (end = input.find('\n', from)) != std::string::npos; from = end + 1) {
      Answer(std::string_view(input).substr(from, end - from), out);
    }
    input.erase(0, from);
    if (!WriteAll(out)) return 1;
  }
}
