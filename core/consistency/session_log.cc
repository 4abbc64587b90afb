#include "core/consistency/session_log.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace helix::consistency {
namespace {

namespace sj = simdjson;

constexpr std::string_view kUsage = "\"usage\"";

// The fields of one line. simdjson reads a line while it is asked; after some errors the document is dead, and asking it
// again reads through a null pointer. So every question goes through here, and a dead document has no more fields.
class LineFields {
 public:
  explicit LineFields(sj::ondemand::document& document) : document_(document) {}

  [[nodiscard]] bool Broken() const { return !document_.is_alive(); }
  bool Object(sj::ondemand::object& in, std::string_view key, sj::ondemand::object& out) {
    return !Broken() && !in[key].get_object().get(out) && !Broken();
  }
  std::string Text(sj::ondemand::object& in, std::string_view key) {
    sj::ondemand::value value;
    std::string_view text;
    return Find(in, key, value) && !value.get_string().get(text) ? std::string(text) : std::string();
  }
  Measured<Tokens> Count(sj::ondemand::object& in, std::string_view key) {
    sj::ondemand::value value;
    std::int64_t count = 0;
    return Find(in, key, value) && !value.get_int64().get(count)
               ? Measured<Tokens>(Tokens{count}, Origin::kServer)
               : Measured<Tokens>();
  }
  bool True(sj::ondemand::object& in, std::string_view key) {
    sj::ondemand::value value;
    bool yes = false;
    return Find(in, key, value) && !value.get_bool().get(yes) && yes;
  }

 private:
  bool Find(sj::ondemand::object& in, std::string_view key, sj::ondemand::value& value) {
    return !Broken() && !in[key].get(value) && !Broken();
  }
  sj::ondemand::document& document_;
};

std::int64_t OrZero(const Measured<Tokens>& tokens) {
  return tokens.present() ? tokens.value().count : 0;
}

// Anthropic's usage: input without what was read or written.
usage::Usage ReadUsage(LineFields& fields, sj::ondemand::object& object) {
  usage::Usage found;
  found.in_uncached = fields.Count(object, "input_tokens");
  found.cache_read = fields.Count(object, "cache_read_input_tokens");
  found.out_total = fields.Count(object, "output_tokens");
  const Measured<Tokens> writes = fields.Count(object, "cache_creation_input_tokens");
  sj::ondemand::object split;
  if (fields.Object(object, "cache_creation", split)) {
    found.cache_write_5m = fields.Count(split, "ephemeral_5m_input_tokens");
    found.cache_write_1h = fields.Count(split, "ephemeral_1h_input_tokens");
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

// False when the line is no reply with a usage, or is broken (fields.Broken()).
bool ReadTurn(LineFields& fields, sj::ondemand::object& object, SessionTurn& turn) {
  if (fields.Text(object, "type") != "assistant") return false;
  sj::ondemand::object message;
  sj::ondemand::object usage;
  if (!fields.Object(object, "message", message)) return false;
  turn.message_id = fields.Text(message, "id");
  turn.model = fields.Text(message, "model");
  if (!fields.Object(message, "usage", usage)) return false;
  turn.usage = ReadUsage(fields, usage);
  turn.request_id = fields.Text(object, "requestId");
  turn.timestamp = fields.Text(object, "timestamp");
  turn.session = fields.Text(object, "sessionId");
  turn.sidechain = fields.True(object, "isSidechain");
  return !fields.Broken();
}

}  // namespace

struct SessionLogReader::Parser {
  sj::ondemand::parser parser;
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

void SessionLogReader::Line(const char* begin, std::size_t size, std::size_t capacity,
                            const std::string& fallback_session) {
  sj::ondemand::document document;
  sj::ondemand::object object;
  if (parser_->parser.iterate(begin, size, capacity).get(document) || document.get_object().get(object)) {
    ++log_.unreadable;
    return;
  }
  LineFields fields(document);
  SessionTurn turn;
  const bool reply = ReadTurn(fields, object, turn);
  log_.unreadable += fields.Broken() ? 1 : 0;
  if (!reply || turn.model == "<synthetic>") return;
  if (turn.session.empty()) turn.session = fallback_session;
  Keep(std::move(turn));
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
      Line(line.data(), line.size(), text.size() - begin, fallback_session);
    begin = end + 1;
  }
}

}  // namespace helix::consistency
