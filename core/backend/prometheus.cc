#include "core/backend/prometheus.h"

#include <charconv>
#include <cmath>
#include <string>

namespace helix::backend {
namespace {

std::string_view TrimLeft(std::string_view s) {
  const auto start = s.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view{} : s.substr(start);
}

// The name with its labels ends at the first blank outside braces and quotes.
std::size_t SeriesLength(std::string_view line) {
  bool quoted = false;
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}') {
      --depth;
    } else if (!quoted && depth == 0 && (c == ' ' || c == '\t')) {
      return i;
    }
  }
  return line.size();
}

void ReadLine(std::string_view line, Json& out) {
  line = TrimLeft(line);
  if (line.empty() || line.front() == '#') return;
  const std::size_t length = SeriesLength(line);
  const std::string_view number = TrimLeft(line.substr(length));
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end == number.data() || !std::isfinite(value)) return;
  out[std::string(line.substr(0, length))] = value;
}

}  // namespace

Json ParsePrometheus(std::string_view text) {
  Json out = Json::object();
  while (!text.empty()) {
    const auto newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ReadLine(line, out);
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
  }
  return out;
}

Json CounterDeltas(const Json& before, const Json& after) {
  Json out = Json::object();
  if (!before.is_object() || !after.is_object()) return out;
  for (const auto& [name, value] : after.items()) {
    const auto old = before.find(name);
    if (old == before.end() || !old->is_number() || !value.is_number()) continue;
    const double delta = value.get<double>() - old->get<double>();
    if (delta >= 0) out[name] = delta;
  }
  return out;
}

}  // namespace helix::backend
