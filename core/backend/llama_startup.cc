#include "core/backend/llama_startup.h"

#include <charconv>

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

std::string_view Trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// What stands behind "name =" in a line of llama_context; other parts of the program use the same names.
std::optional<std::string_view> ContextValue(std::string_view line, std::string_view name) {
  const auto context = line.find("llama_context:");
  if (context == std::string_view::npos) return std::nullopt;
  const auto equals = line.find('=', context);
  if (equals == std::string_view::npos) return std::nullopt;
  const auto key = line.substr(context + std::string_view("llama_context:").size(),
                               equals - context - std::string_view("llama_context:").size());
  if (Trimmed(key) != name) return std::nullopt;
  return Trimmed(line.substr(equals + 1));
}

void ReadCount(std::string_view line, std::string_view name, std::optional<std::int64_t>& out) {
  const auto value = ContextValue(line, name);
  if (!value) return;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error == std::errc() && end == value->data() + value->size() && number > 0) out = number;
}

// "... K (f16):    2.00 MiB, V (f16):    2.00 MiB" of the cache's size line.
void ReadCacheType(std::string_view line, std::string_view open, std::string& out) {
  const auto at = line.find(open);
  if (line.find("llama_kv_cache") == std::string_view::npos || at == std::string_view::npos) return;
  const auto begin = at + open.size();
  const auto end = line.find(')', begin);
  if (end != std::string_view::npos) out = std::string(line.substr(begin, end - begin));
}

}  // namespace

LlamaStartup ReadLlamaStartup(std::string_view log) {
  LlamaStartup out;
  while (!log.empty()) {
    const auto end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
    ReadCount(line, "n_batch", out.batch);
    ReadCount(line, "n_ubatch", out.ubatch);
    if (const auto flash = ContextValue(line, "flash_attn")) out.flash_attention = std::string(*flash);
    ReadCacheType(line, " K (", out.cache_type_k);
    ReadCacheType(line, " V (", out.cache_type_v);
  }
  return out;
}

Json ToJson(const LlamaStartup& startup) {
  const auto text = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
  return {{"batch", OrNull(startup.batch)},
          {"ubatch", OrNull(startup.ubatch)},
          {"flash_attention", text(startup.flash_attention)},
          {"cache_type_k", text(startup.cache_type_k)},
          {"cache_type_v", text(startup.cache_type_v)}};
}

}  // namespace helix::backend
