#include "core/consistency/session_log.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace helix::consistency {
namespace {

namespace sj = simdjson;

constexpr std::string_view kUsage = "\"usage\"";

// simdjson's DOM, not its on-demand form: that one reads a line while it is asked, and a field asked of a
// line that turned out to be broken is undefined there. This one has checked the whole line before the first
// question.
std::string Text(sj::simdjson_result<sj::dom::element> value) {
  std::string_view text;
  return value.get_string().get(text) ? std::string() : std::string(text);
}

Measured<Tokens> Count(sj::simdjson_result<sj::dom::element> value) {
  std::int64_t count = 0;
  return value.get_int64().get(count) ? Measured<Tokens>() : Measured<Tokens>(Tokens{count}, Origin::kServer);
}

std::int64_t OrZero(const Measured<Tokens>& tokens) {
  return tokens.present() ? tokens.value().count : 0;
}

// Anthropic's usage: input without what was read or written.
usage::Usage ReadUsage(const sj::dom::object& object) {
  usage::Usage found;
  found.in_uncached = Count(object["input_tokens"]);
  found.cache_read = Count(object["cache_read_input_tokens"]);
  found.out_total = Count(object["output_tokens"]);
  const Measured<Tokens> writes = Count(object["cache_creation_input_tokens"]);
  sj::dom::object split;
  if (!object["cache_creation"].get_object().get(split)) {
    found.cache_write_5m = Count(split["ephemeral_5m_input_tokens"]);
    found.cache_write_1h = Count(split["ephemeral_1h_input_tokens"]);
  }
  const std::int64_t rest = OrZero(writes) - OrZero(found.cache_write_5m) - OrZero(found.cache_write_1h);
  const bool named = found.cache_write_5m.present() || found.cache_write_1h.present();
  if (writes.present() && (!named || rest > 0))
    found.cache_write_other = {Tokens{std::max<std::int64_t>(rest, 0)}, Origin::kServer};
  if (found.cache_read.present()) found.visibility = usage::Visibility::kReported;
  const auto written = found.Writes();
  if (found.in_uncached.present() && found.cache_read.present() && written.present())
    found.in_total = {found.in_uncached.value() + found.cache_read.value() + written.value(),
                      Origin::kDerived};
  return found;
}

// Nullopt when the line is no reply with a usage.
std::optional<SessionTurn> ReadTurn(const sj::dom::object& object) {
  sj::dom::object message;
  sj::dom::object usage;
  if (Text(object["type"]) != "assistant" || object["message"].get_object().get(message) ||
      message["usage"].get_object().get(usage))
    return std::nullopt;
  SessionTurn turn;
  turn.message_id = Text(message["id"]);
  turn.model = Text(message["model"]);
  turn.usage = ReadUsage(usage);
  turn.request_id = Text(object["requestId"]);
  turn.timestamp = Text(object["timestamp"]);
  turn.session = Text(object["sessionId"]);
  bool sidechain = false;
  turn.sidechain = !object["isSidechain"].get_bool().get(sidechain) && sidechain;
  return turn;
}

}  // namespace

struct SessionLogReader::Parser {
  sj::dom::parser parser;
};

SessionLogReader::SessionLogReader() : parser_(new Parser) {}
SessionLogReader::~SessionLogReader() {
  delete parser_;
}

void SessionLogReader::Keep(SessionTurn turn) {
  const std::string key = turn.message_id + "\n" + turn.request_id;
  if (key.size() > 1) {
    const auto [at, fresh] = seen_.emplace(key, log_.turns.size());
    if (!fresh) {
      ++log_.repeated;
      log_.turns[at->second].usage.out_total = turn.usage.out_total;
      return;
    }
  }
  log_.turns.push_back(std::move(turn));
}

void SessionLogReader::Line(const char* begin, std::size_t size, const std::string& fallback_session) {
  sj::dom::object object;
  // The padding behind the text is there: nothing is copied.
  if (parser_->parser.parse(begin, size, false).get_object().get(object)) {
    ++log_.unreadable;
    return;
  }
  auto turn = ReadTurn(object);
  if (!turn || turn->model == "<synthetic>") return;
  if (turn->session.empty()) turn->session = fallback_session;
  Keep(std::move(*turn));
}

void SessionLogReader::Add(std::string& text, const std::string& fallback_session) {
  const std::size_t size = text.size();
  text.append(sj::SIMDJSON_PADDING, ' ');
  for (std::size_t begin = 0; begin < size;) {
    const void* newline = std::memchr(text.data() + begin, '\n', size - begin);
    const std::size_t end =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) : size;
    const std::string_view line(text.data() + begin, end - begin);
    if (!line.empty()) ++log_.lines;
    // Only a reply carries usage; the rest of a log is the bulk of it.
    if (memmem(line.data(), line.size(), kUsage.data(), kUsage.size()))
      Line(line.data(), line.size(), fallback_session);
    begin = end + 1;
  }
}

}  // namespace helix::consistency
